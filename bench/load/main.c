/* SQLite's least use: a database in memory, a table, a sum. */
#include <stdio.h>

#include "sqlite3.h"

static int show(void *ignored, int columns, char **values, char **names) {
  (void)ignored;
  for (int i = 0; i < columns; i++)
    printf("%s = %s\n", names[i], values[i] ? values[i] : "null");
  return 0;
}

int main(void) {
  sqlite3 *db;
  char *error = NULL;
  if (sqlite3_open(":memory:", &db) != SQLITE_OK)
    return 1;
  int status = sqlite3_exec(db,
                            "create table t(x integer, name text);"
                            "insert into t values (1, 'one'), (2, 'two'), (40, 'forty');"
                            "select sum(x) as total, max(name) as last from t;",
                            show, NULL, &error);
  if (status != SQLITE_OK)
    printf("error %d: %s\n", status, error ? error : "unknown");
  sqlite3_close(db);
  return status != SQLITE_OK;
}
