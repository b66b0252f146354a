//! The libraries, their functions, and the planted bugs.

use std::path::{Path, PathBuf};

use crate::setup::BenchSetup;
use crate::sources;

/// A library in Debian's sources.
pub struct Library {
    pub name: &'static str,
    /// Its C files and the options to compile them, relative to the sources.
    pub words: &'static [&'static str],
}

/// A function that is tested.
pub struct TestedFunction {
    pub library: &'static Library,
    /// The file that defines it, relative to the sources.
    pub file: &'static str,
    pub name: &'static str,
}

/// A small edit of a function that makes it wrong.
pub struct PlantedBug {
    pub function: TestedFunction,
    /// Texts of the file, and what replaces them.
    pub edits: &'static [(&'static str, &'static str)],
    /// The fault that shows it.
    pub kind: &'static str,
}

static CJSON: Library = Library { name: "cJSON", words: &["cjson/cJSON.c", "-I", "cjson"] };

static ZLIB: Library = Library {
    name: "zlib",
    words: &[
        "zlib/adler32.c",
        "zlib/crc32.c",
        "zlib/inftrees.c",
        "zlib/inflate.c",
        "zlib/inffast.c",
        "zlib/uncompr.c",
        "zlib/zutil.c",
        "-I",
        "zlib",
    ],
};

static JANSSON: Library = Library {
    name: "jansson",
    words: &["jansson/src/utf.c", "-I", "jansson/src", "-D", "HAVE_STDINT_H"],
};

static EXPAT: Library = Library {
    name: "expat",
    words: &[
        "expat/expat/lib/xmlparse.c",
        "expat/expat/lib/xmlrole.c",
        "expat/expat/lib/xmltok.c",
        "-I",
        "expat/expat/lib",
        "-I",
        "include",
        "-D",
        "XML_NS",
        "-D",
        "XML_DTD",
        "-D",
        "XML_CONTEXT_BYTES=1024",
        "-D",
        "BYTEORDER=1234",
        "-D",
        "XML_POOR_ENTROPY",
        "-D",
        "XML_GE=1",
    ],
};

static LIBPNG: Library = Library {
    name: "libpng",
    words: &[
        "libpng1.6/png.c",
        "libpng1.6/pngerror.c",
        "libpng1.6/pngget.c",
        "libpng1.6/pngmem.c",
        "libpng1.6/pngpread.c",
        "libpng1.6/pngread.c",
        "libpng1.6/pngrio.c",
        "libpng1.6/pngrtran.c",
        "libpng1.6/pngrutil.c",
        "libpng1.6/pngset.c",
        "libpng1.6/pngtrans.c",
        "libpng1.6/pngwio.c",
        "libpng1.6/pngwrite.c",
        "libpng1.6/pngwtran.c",
        "libpng1.6/pngwutil.c",
        "zlib/adler32.c",
        "zlib/crc32.c",
        "zlib/deflate.c",
        "zlib/inftrees.c",
        "zlib/inflate.c",
        "zlib/inffast.c",
        "zlib/trees.c",
        "zlib/zutil.c",
        "-I",
        "libpng1.6",
        "-I",
        "include",
        "-I",
        "zlib",
    ],
};

const fn function(
    library: &'static Library,
    file: &'static str,
    name: &'static str,
) -> TestedFunction {
    TestedFunction { library, file, name }
}

const CJSON_FILE: &str = "cjson/cJSON.c";
const UTF_FILE: &str = "jansson/src/utf.c";
const XMLTOK_FILE: &str = "expat/expat/lib/xmltok.c";

/// The functions: parts of parsers, checksums, accessors and conversions.
pub static FUNCTIONS: [TestedFunction; 20] = [
    function(&CJSON, CJSON_FILE, "cJSON_GetArraySize"),
    function(&CJSON, CJSON_FILE, "cJSON_GetArrayItem"),
    function(&CJSON, CJSON_FILE, "get_object_item"),
    function(&CJSON, CJSON_FILE, "cJSON_Minify"),
    function(&CJSON, CJSON_FILE, "cJSON_Compare"),
    function(&ZLIB, "zlib/adler32.c", "adler32_z"),
    function(&ZLIB, "zlib/adler32.c", "adler32_combine_"),
    function(&ZLIB, "zlib/crc32.c", "crc32_z"),
    function(&ZLIB, "zlib/inftrees.c", "inflate_table"),
    function(&JANSSON, UTF_FILE, "utf8_encode"),
    function(&JANSSON, UTF_FILE, "utf8_iterate"),
    function(&JANSSON, UTF_FILE, "utf8_check_string"),
    function(&JANSSON, UTF_FILE, "utf8_check_first"),
    function(&EXPAT, XMLTOK_FILE, "XmlUtf8Encode"),
    function(&EXPAT, XMLTOK_FILE, "XmlUtf16Encode"),
    function(&EXPAT, "expat/expat/lib/xmlparse.c", "XML_ErrorString"),
    function(&LIBPNG, "libpng1.6/png.c", "png_sig_cmp"),
    function(&LIBPNG, "libpng1.6/png.c", "png_muldiv"),
    function(&LIBPNG, "libpng1.6/pngrutil.c", "png_get_uint_32"),
    function(&LIBPNG, "libpng1.6/pngget.c", "png_get_valid"),
];

/// One bug for each library.
pub static PLANTED: [PlantedBug; 5] = [
    PlantedBug {
        function: function(&CJSON, CJSON_FILE, "cJSON_GetArrayItem"),
        edits: &[("while ((current_child != NULL) && (index > 0))", "while (index > 0)")],
        kind: "null-dereference",
    },
    PlantedBug {
        function: function(&ZLIB, "zlib/inftrees.c", "inflate_table"),
        edits: &[(
            "for (len = 0; len <= MAXBITS; len++)",
            "for (len = 0; len <= MAXBITS + 1; len++)",
        )],
        kind: "out-of-bounds",
    },
    PlantedBug {
        function: function(&JANSSON, UTF_FILE, "utf8_encode"),
        edits: &[("buffer[3] = 0x80", "buffer[8] = 0x80")],
        kind: "out-of-bounds",
    },
    PlantedBug {
        function: function(&EXPAT, XMLTOK_FILE, "XmlUtf8Encode"),
        edits: &[("buf[3] = (char)", "buf[8] = (char)")],
        kind: "out-of-bounds",
    },
    PlantedBug {
        function: function(&LIBPNG, "libpng1.6/png.c", "png_sig_cmp"),
        edits: &[
            ("if (num_to_check > 8)", "if (num_to_check > 9)"),
            ("if (start + num_to_check > 8)", "if (start + num_to_check > 9)"),
            ("num_to_check = 8 - start", "num_to_check = 9 - start"),
        ],
        kind: "out-of-bounds",
    },
];

/// The folder with the sources as their authors published them: Debian's tarballs without Debian's
/// changes.
pub fn fetch(setup: &BenchSetup) -> Result<PathBuf, String> {
    let script = "
        packages='cjson zlib jansson expat libpng1.6'
        apt-get source -q --download-only --tar-only $packages
        for package in $packages; do
            mkdir $package
            tar -xf ${package}_*.orig.tar.* -C $package --strip-components=1
            rm ${package}_*
        done
        # Written by configure; the options of the libraries stand for its contents.
        mkdir include
        touch include/expat_config.h
        cp libpng1.6/scripts/pnglibconf.h.prebuilt include/pnglibconf.h";
    sources::once(setup, "entry-libraries", script)
}

impl Library {
    /// Its files and options, with the sources in `folder`; `edited` replaces one of its files.
    pub fn words_in(&self, folder: &Path, edited: Option<(&str, &Path)>) -> Vec<String> {
        let path = |word: &&str| {
            let path = match edited {
                Some((file, copy)) if file == *word => copy.to_owned(),
                _ => folder.join(word),
            };
            match path.exists() {
                true => path.to_string_lossy().into_owned(),
                false => (*word).to_owned(),
            }
        };
        self.words.iter().map(path).collect()
    }
}
