//! The projects: how each is built, and the command lines on which its program runs.

/// A project in Debian's sources, as its authors published it unless there is a reason.
pub struct SourceProject {
    pub name: &'static str,
    /// Debian's source package.
    pub package: &'static str,
    pub origin: SourceOrigin,
    pub build_system: &'static str,
    /// A shell script that builds it in a copy of its sources. `$CC` is the compiler, which may be
    /// two words; `$CMAKE_CC` has one. `$PROJECTS` is the directory of our own files.
    pub build: &'static str,
    /// Other projects whose sources are copied into a folder of their name.
    pub with_sources: &'static [&'static str],
    /// The program, relative to the sources.
    pub program: &'static str,
    /// Arguments and standard input of concrete runs.
    pub commands: &'static [ProjectCommand],
    /// Options of the exploration, and behind `--` arguments of the program.
    pub symbolic: &'static [&'static str],
}

/// Which of Debian's sources are built.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum SourceOrigin {
    /// Those of the authors.
    Authors,
    /// With Debian's changes, and configured anew by autoreconf, as Debian builds it: Debian's
    /// copy of the authors' sources lacks files.
    DebianAutoreconf,
}

/// A concrete run.
pub struct ProjectCommand {
    pub args: &'static [&'static str],
    pub stdin: &'static str,
}

const fn with(args: &'static [&'static str], stdin: &'static str) -> ProjectCommand {
    ProjectCommand { args, stdin }
}

const AUTOTOOLS: &str = "./configure CC=\"$CC\" && make";
const LINES: &str = "one two\nthree\nfour five six\n\ntwo seven\n";

/// All projects.
pub const PROJECTS: &[SourceProject] = &[
    SourceProject {
        name: "grep",
        package: "grep",
        origin: SourceOrigin::Authors,
        build_system: "autotools",
        build: AUTOTOOLS,
        with_sources: &[],
        program: "src/grep",
        commands: &[
            with(&["two"], LINES),
            with(&["-n", "-i", "T[wh]"], LINES),
            with(&["-c", "-v", "two"], LINES),
            with(&["-E", "-o", "(f|s)[a-z]+"], LINES),
            with(&["-F", "-x", "three"], LINES),
            with(&["absent"], LINES),
        ],
        symbolic: &["--sym-args", "1", "1", "3", "--sym-stdin", "4"],
    },
    SourceProject {
        name: "sed",
        package: "sed",
        origin: SourceOrigin::Authors,
        build_system: "autotools",
        build: AUTOTOOLS,
        with_sources: &[],
        program: "sed/sed",
        commands: &[
            with(&["s/two/2/g"], LINES),
            with(&["-n", "2,3p"], LINES),
            with(&["-E", "s/([a-z]+) ([a-z]+)/\\2 \\1/"], LINES),
            with(&["/^$/d; $!N; P; D"], LINES),
            with(&["y/abc/xyz/; 1!G; h; $!d"], LINES),
            with(&["s/(/"], LINES),
        ],
        symbolic: &["--sym-args", "1", "1", "4", "--sym-stdin", "4"],
    },
    SourceProject {
        name: "gawk",
        package: "gawk",
        origin: SourceOrigin::Authors,
        build_system: "autotools",
        // Debian leaves the manual out, and builds gawk with empty files in its place. GMP, which
        // MPFR needs and every run would call, has no bitcode in Debian's packages.
        build: "./configure --disable-mpfr CC=\"$CC\" && touch --date='Jan 01 2000' doc/gawktexi.in doc/sidebar.awk \
                doc/{gawk,gawkinet,gawkworkflow,pm-gawk}.{texi,info} && make",
        with_sources: &[],
        program: "gawk",
        commands: &[
            with(&["{ print NF, $1 }"], LINES),
            with(&["-F", "e", "NR % 2 { print $2 }"], LINES),
            with(&["{ n[$1]++ } END { for (w in n) s += n[w]; print s }"], LINES),
            with(&["BEGIN { printf \"%5.2f|%x|%s\\n\", 3.14159, 255, toupper(\"abc\") }"], ""),
            with(&["/two/ { gsub(/o/, \"0\"); print; next } END { print NR }"], LINES),
            with(&["BEGIN { print length(x"], ""),
        ],
        symbolic: &["--sym-args", "1", "1", "4", "--sym-stdin", "4"],
    },
    SourceProject {
        name: "diffutils",
        package: "diffutils",
        origin: SourceOrigin::Authors,
        build_system: "autotools",
        build: "./configure CC=\"$CC\" && make && printf 'one two\\nthree\\nfour\\n' >base.txt",
        with_sources: &[],
        program: "src/diff",
        commands: &[
            with(&["base.txt", "-"], LINES),
            with(&["--normal", "-w", "base.txt", "-"], LINES),
            with(&["-y", "-W", "40", "base.txt", "-"], LINES),
            with(&["-e", "base.txt", "-"], LINES),
            with(&["-q", "base.txt", "-"], LINES),
            with(&["base.txt", "-"], "one two\nthree\nfour\n"),
        ],
        symbolic: &["--sym-stdin", "6", "--sym-files", "1", "6", "--", "A", "-"],
    },
    SourceProject {
        name: "bc",
        package: "bc",
        origin: SourceOrigin::Authors,
        build_system: "autotools",
        build: "./configure CC=\"$CC\" && make MAKEINFO=true",
        with_sources: &[],
        program: "bc/bc",
        commands: &[
            with(&[], "1 + 2 * 3\n2 ^ 100\n"),
            with(&["-l"], "scale = 30\n4 * a(1)\n"),
            with(&[], "define f(n) { if (n < 2) return n; return f(n - 1) + f(n - 2) }\nf(15)\n"),
            with(&[], "obase = 16\n65535 * 3\nibase = 2\n1011\n"),
            with(&[], "for (i = 0; i < 5; i++) i / 3\nsqrt(2)\n"),
            with(&[], "1 / 0\n3 +\n"),
        ],
        symbolic: &["--sym-stdin", "6"],
    },
    SourceProject {
        name: "make",
        package: "make-dfsg",
        origin: SourceOrigin::DebianAutoreconf,
        build_system: "autotools",
        build: AUTOTOOLS,
        with_sources: &[],
        program: "make",
        // Commands are printed, not run: there are no processes to run them.
        commands: &[
            with(&["-n", "-f", "-"], "all: a b\n\techo $@ $^\n%:\n\techo $* $(words $^)\n"),
            with(
                &["-f", "-"],
                "x := $(patsubst %.c,%.o,a.c b.c)\n$(info $(x) $(sort c a b) $(x:.o=.d))\nall:\n",
            ),
            with(&["-f", "-", "V=2"], "all: absent-$(V)\nifeq ($V,2)\n$(warning two)\nendif\n"),
            with(&["-r", "-n", "-f", "-", "CHANGES.o"], "%.o: %.c\n\tcc -o $@ $<\n%.c:;touch $@\n"),
            with(&["-f", "-"], "all:\n  one two three\n"),
            with(
                &["-k", "-n", "-f", "-"],
                "define r\n$(1): ; build $(1)\nendef\n$(eval $(call r,t))\n",
            ),
        ],
        symbolic: &["--sym-stdin", "6", "--", "-n", "-f", "-"],
    },
    SourceProject {
        name: "expat",
        package: "expat",
        origin: SourceOrigin::Authors,
        build_system: "CMake",
        build: "cmake -S expat -B build -DCMAKE_C_COMPILER=\"$CMAKE_CC\" \
                -DCMAKE_CXX_COMPILER=\"$CMAKE_CXX\" && make -C build",
        with_sources: &[],
        program: "build/xmlwf/xmlwf",
        commands: &[
            with(&[], "<a><b c='d'>text</b></a>"),
            with(&[], "<a><b></a></b>"),
            with(&["-s"], "<?xml version='1.0' encoding='UTF-8'?><a>&lt;</a>"),
            with(&["-n"], "<!DOCTYPE a [<!ENTITY e 'x'>]><a>&e;</a>"),
            with(&[], "<a>&undefined;</a>"),
            with(&["-v"], ""),
        ],
        symbolic: &["--sym-stdin", "6"],
    },
    SourceProject {
        name: "cJSON",
        package: "cjson",
        origin: SourceOrigin::Authors,
        build_system: "CMake",
        build: "cmake -S . -B build -DCMAKE_C_COMPILER=\"$CMAKE_CC\" -DENABLE_CJSON_TEST=Off && \
                make -C build && mkdir -p include/cjson && cp cJSON.h include/cjson && \
                $CC -g -Iinclude \"$PROJECTS/json.c\" -Lbuild -lcjson -Wl,-rpath,'$ORIGIN/build' \
                -o json",
        with_sources: &[],
        program: "json",
        commands: &[
            with(&[], "{\"a\": [1, 2.5, -3e4], \"b\": null}"),
            with(&["flat"], "{\"a\": [1, 2.5, -3e4], \"b\": {\"c\": true}}"),
            with(&[], "[\"\\u00e9\\n\\t\", \"\"]"),
            with(&[], "{\"a\": }"),
            with(&["flat"], "[[[[]]]]"),
            with(&[], "0.1"),
        ],
        symbolic: &["--sym-stdin", "6"],
    },
    SourceProject {
        name: "zlib",
        package: "zlib",
        origin: SourceOrigin::Authors,
        build_system: "configure, by hand",
        build: "CC=\"$CC\" ./configure && make && \
                printf 'one two two two two three' | gzip -n >base.gz",
        with_sources: &[],
        program: "minigzip",
        commands: &[
            with(&[], LINES),
            with(&["-9"], "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab"),
            with(&["-1"], LINES),
            with(&["-c", "-d", "base.gz"], ""),
            with(&["-h"], LINES),
            with(&["-d"], "not compressed"),
        ],
        symbolic: &["--sym-stdin", "6", "--", "-d"],
    },
    SourceProject {
        name: "libpng",
        package: "libpng1.6",
        origin: SourceOrigin::Authors,
        build_system: "CMake",
        build: "(cd zlib && CC=\"$CC\" ./configure && make libz.so.1.2.13) && \
                cmake -S . -B build -DCMAKE_C_COMPILER=\"$CMAKE_CC\" \
                -DZLIB_LIBRARY=\"$PWD/zlib/libz.so\" -DZLIB_INCLUDE_DIR=\"$PWD/zlib\" && \
                make -C build && cp pngtest.png in.png",
        with_sources: &["zlib"],
        program: "build/pngtest",
        commands: &[
            with(&["in.png", "/dev/null"], ""),
            with(&["-m", "in.png", "/dev/null"], ""),
            with(&["--strict", "in.png", "/dev/null"], ""),
            with(&["--relaxed", "in.png", "/dev/null"], ""),
            with(&["absent.png"], ""),
            with(&["CHANGES", "/dev/null"], ""),
        ],
        symbolic: &["--sym-files", "1", "24", "--", "A", "/dev/null"],
    },
    SourceProject {
        name: "bzip2",
        package: "bzip2",
        origin: SourceOrigin::Authors,
        build_system: "make",
        build: "make CC=\"$CC\" bzip2 && printf 'one two two two' >t && ./bzip2 -k t",
        with_sources: &[],
        program: "bzip2",
        commands: &[
            with(&["-c"], LINES),
            with(&["-1"], LINES),
            with(&["-c", "-d", "t.bz2"], ""),
            with(&["-t", "t.bz2"], ""),
            with(&["-d"], "BZh9 no"),
            with(&["--help"], ""),
        ],
        symbolic: &["--sym-stdin", "12", "--", "-d"],
    },
    SourceProject {
        name: "lua",
        package: "lua5.4",
        origin: SourceOrigin::Authors,
        build_system: "make",
        build: "make linux CC=\"$CC\"",
        with_sources: &[],
        program: "src/lua",
        commands: &[
            with(&["-"], "for i = 1, 3 do print(i, i / 2, i // 2) end\n"),
            with(&["-e", "print(('%5.1f|%q'):format(3.14159, 'a\\nb'))"], ""),
            with(&["-"], "local t = {3, 1, 2}; table.sort(t); print(table.concat(t, ' '))\n"),
            with(&["-"], "print(pcall(error, 'no')); print(#arg, string.rep('ab', 3, '-'))\n"),
            with(&["-"], "print(('one two'):gsub('%w+', string.upper)); x = = 1\n"),
            with(&["-v", "-e", "os.exit(3)"], ""),
        ],
        symbolic: &["--sym-stdin", "6", "--", "-"],
    },
    SourceProject {
        name: "sqlite",
        package: "sqlite3",
        origin: SourceOrigin::Authors,
        build_system: "autotools, by hand",
        build: "./configure CC=\"$CC\" --disable-tcl --disable-readline && make sqlite3",
        with_sources: &[],
        program: "sqlite3",
        commands: &[
            with(
                &[],
                "create table t(a, b); insert into t values(1, 'x'), (2, 'y');\n\
                       select b, a * 2 from t order by a desc;\n",
            ),
            with(&[":memory:", "select 1 + 1, 'a' || 'b', abs(-3);"], ""),
            with(&["-csv", "-header"], "select 1 as one, 'two,three' as two;\n"),
            with(
                &[],
                "with recursive n(i) as (select 1 union all select i + 1 from n where i < 9)\n\
                       select group_concat(i), sum(i) from n;\n",
            ),
            with(&[], "select * from absent;\n"),
            with(&["-line", ":memory:", "select upper('abc') as u, round(2.567, 1) as r;"], ""),
        ],
        symbolic: &["--sym-stdin", "6"],
    },
];
