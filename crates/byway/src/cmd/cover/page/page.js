'use strict';
// Sorts the overview; n and p go from one place that is not covered to another. The page
// can be read without any of this.
(function () {
  const table = document.getElementById('files');
  const rows = () => Array.from(table.tBodies[0].rows);
  table.querySelectorAll('th button').forEach(function (button) {
    button.addEventListener('click', function () {
      const head = button.parentElement;
      const column = head.cellIndex;
      const up = head.getAttribute('aria-sort') !== 'ascending';
      table.querySelectorAll('th').forEach((other) => other.removeAttribute('aria-sort'));
      head.setAttribute('aria-sort', up ? 'ascending' : 'descending');
      const value = (row) => row.cells[column].dataset.value;
      const order = column === 0
        ? (a, b) => value(a).localeCompare(value(b))
        : (a, b) => Number(value(a)) - Number(value(b));
      rows().sort((a, b) => (up ? order(a, b) : order(b, a)))
        .forEach((row) => table.tBodies[0].appendChild(row));
    });
  });

  // Lines one after the other are one place.
  const open = (row) => row !== null && (row.classList.contains('miss') || row.classList.contains('part'));
  const places = Array.from(document.querySelectorAll('tr.miss, tr.part'))
    .filter((row) => row.classList.contains('part') || !open(row.previousElementSibling)
      || row.previousElementSibling.classList.contains('part'));
  let at = -1;
  function go(step) {
    if (places.length === 0) return;
    if (at >= 0) places[at].classList.remove('here');
    at = at < 0 && step < 0 ? places.length - 1 : (at + step + places.length) % places.length;
    places[at].classList.add('here');
    places[at].scrollIntoView({ block: 'center' });
  }
  document.addEventListener('keydown', function (event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === 'n') go(1);
    else if (event.key === 'p') go(-1);
    else if (event.key === 't') window.scrollTo(0, 0);
  });
}());
