# shellcheck shell=bash
# Functions of recipes that build Debian's sources into the cache. A recipe sources this file
# after setting `recipe` to its name, with which messages begin.
#
# Recipes work in $scratch, in memory where there is some. Each result is moved to the cache when
# it is complete, so an interrupted build resumes there.

recipe=${recipe:?a recipe sets its name}
llvm=${LLVM_SYS_221_PREFIX:-/usr/lib/llvm-22}/bin
scratch=

say() { printf '%s\n' "$*" >&2; }

die() {
    say "$recipe: $*"
    exit 1
}

# --- Directories --------------------------------------------------------------

# A hash of everything a result is built from. Comments do not count.
key() { # TEXT FILE...
    local text=$1
    shift
    {
        echo "$text"
        "$llvm/clang" --version | head -n 1
        grep -hvE '^[[:space:]]*#' "$@" "${BASH_SOURCE[0]}"
    } | sha256sum | cut -c 1-16
}

scratch_folder() {
    local parent=/dev/shm
    [[ -w $parent ]] || parent=/tmp
    mktemp -d "$parent/byway-$recipe.XXXXXX"
}

# Moves a complete folder to the cache. Between file systems that is a copy, so it goes
# to a draft first: other processes must not see a part of it.
publish() { # FOLDER DESTINATION
    local draft
    mkdir -p "$(dirname "$2")"
    draft=$(mktemp -d "$2.draft.XXXXXX")
    cp -a "$1/." "$draft"
    # Another process may have created it in the meantime.
    mv -T "$draft" "$2" 2>/dev/null || rm -rf "$draft"
}

# --- Sources -----------------------------------------------------------------

# Fetches the sources as their authors published them: Debian's tarball without its changes.
fetch() { # CACHE PACKAGE VERSION
    local sandbox=() tarball=$1/sources/$2-$3
    [[ -d $tarball ]] && return
    # apt's own user cannot write here, and apt would warn about it.
    [[ $EUID == 0 ]] && sandbox=(-o APT::Sandbox::User=root)
    say "$recipe: fetching the sources of $2"
    mkdir "$scratch/tarball-$2"
    (cd "$scratch/tarball-$2" &&
        apt-get source -q --download-only --tar-only "${sandbox[@]}" "$2") \
        >"$scratch/log" 2>&1 || die "cannot fetch $2: $(tail -n 1 "$scratch/log")"
    # Another version would be kept under the name of this one.
    compgen -G "$scratch/tarball-$2/$2_$3.orig.tar.*" >/dev/null ||
        die "Debian has $(cd "$scratch/tarball-$2" && echo *), not $2 $3"
    publish "$scratch/tarball-$2" "$tarball"
}

unpack() { # CACHE PACKAGE VERSION FOLDER
    mkdir "$4"
    tar -xf "$(echo "$1/sources/$2-$3/$2_$3".orig.tar.*)" -C "$4" --strip-components=1
}

# --- Building ----------------------------------------------------------------

# Runs a part of a build with its output in a log in FOLDER.
part() { # NAME FOLDER COMMAND...
    local name=$1 log=$2/log began=$SECONDS
    shift 2
    say "$recipe: $name ..."
    if ! "$@" >"$log" 2>&1; then
        tail -n 30 "$log" | sed 's/^/  | /' >&2
        die "$name: failed"
    fi
    say "$recipe: $name: $((SECONDS - began)) s"
}
