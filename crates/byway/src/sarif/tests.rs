//! Tests of reading, annotating and writing reports.

use super::*;
use byway_fuzz::Fuzz;

/// The shape of clang's reports.
fn clang() -> Value {
    json!({
        "$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/cos02/schemas/sarif-schema-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "artifacts": [{"location": {"index": 0, "uri": "file:///src/a%20b.c"}}],
            "tool": {"driver": {"name": "clang", "rules": [{"id": "core.DivideZero"}]}},
            "results": [{
                "ruleId": "core.DivideZero",
                "ruleIndex": 0,
                "level": "warning",
                "message": {"text": "Division by zero"},
                "locations": [location(json!({"index": 0, "uri": "file:///src/a%20b.c"}), 7)],
                "codeFlows": [{"threadFlows": [{"locations": [
                    {"location": location(json!({"index": 0}), 3)},
                    {"location": location(json!({"index": 0}), 3)},
                    {"location": location(json!({"index": 0}), 7)},
                ]}]}],
            }],
        }],
    })
}

/// The shape of GCC's reports: paths relative to a base.
fn gcc() -> Value {
    json!({
        "version": "2.1.0",
        "runs": [{"originalUriBaseIds": {"PWD": {"uri": "file:///home/me/"}}, "results": []}, {
            "originalUriBaseIds": {
                "SRC": {"uri": "src/", "uriBaseId": "PWD"},
                "PWD": {"uri": "file:///home/me/"},
                "UNKNOWN": {},
            },
            "results": [
                {
                    "ruleId": "-Wanalyzer-double-free",
                    "locations": [location(json!({"uri": "x.c", "uriBaseId": "SRC"}), 12)],
                },
                {"ruleId": "-W", "locations": [location(json!({"uri": "y.c", "uriBaseId": "UNKNOWN"}), 1)]},
                {"ruleIndex": -1, "message": {"text": "no location"}},
            ],
        }],
    })
}

fn location(artifact: Value, line: u32) -> Value {
    json!({"physicalLocation": {"artifactLocation": artifact, "region": {"startLine": line}}})
}

fn log(document: &Value) -> SarifLog {
    SarifLog::parse(document.to_string().as_bytes()).expect("a report")
}

fn error(document: &Value) -> String {
    let parsed = SarifLog::parse(document.to_string().as_bytes());
    parsed.and_then(|log| log.findings()).expect_err("broken").to_string()
}

#[test]
fn reads_what_clang_writes() {
    let findings = log(&clang()).findings().expect("findings");
    let [finding] = &findings[..] else { panic!("{findings:?}") };
    let lines: Vec<String> = finding.steps.iter().map(SourceLine::to_string).collect();
    assert_eq!(finding.rule, "core.DivideZero");
    assert_eq!(finding.message, "Division by zero");
    assert_eq!(finding.line.as_ref().map(SourceLine::to_string), Some("/src/a b.c:7".into()));
    assert_eq!(lines, ["/src/a b.c:3", "/src/a b.c:7"]);
}

#[test]
fn reads_what_gcc_writes() {
    let findings = log(&gcc()).findings().expect("findings");
    let line = |index: usize| findings[index].line.as_ref().map(SourceLine::to_string);
    assert_eq!(line(0).as_deref(), Some("/home/me/src/x.c:12"));
    assert_eq!(line(1).as_deref(), Some("y.c:1"));
    assert_eq!((line(2), findings[2].rule.as_str()), (None, ""));
}

#[test]
fn a_verdict_changes_nothing_else() {
    let mut document = gcc();
    document["runs"][1]["results"][0]["properties"] = json!({"theirs": 1.5});
    let mut log = log(&document);
    let findings = log.findings().expect("findings");
    for finding in &findings {
        log.annotate(finding, json!({"verdict": "stale"}));
        log.annotate(finding, json!({"verdict": "confirmed"}));
    }
    log.propose_suppression(&findings[1], "yes");
    log.propose_suppression(&findings[1], "no");
    let mut written: Value = serde_json::from_str(&log.to_text()).expect("JSON");
    let results = written["runs"][1]["results"].as_array_mut().expect("results");
    assert_eq!(results[0]["properties"]["theirs"], json!(1.5));
    assert_eq!(results[1]["suppressions"][0]["justification"], json!("Byway: no"));
    assert_eq!(results[1]["suppressions"].as_array().map(Vec::len), Some(1));
    for result in results {
        let result = result.as_object_mut().expect("a result");
        let properties = result["properties"].as_object_mut().expect("properties");
        assert_eq!(properties.remove("byway"), Some(json!({"verdict": "confirmed"})));
        if result["properties"] == json!({}) {
            result.remove("properties");
        }
        result.remove("suppressions");
    }
    assert_eq!(written, document);
}

#[test]
fn errors_say_what_and_where() {
    let parse = |text: &str| SarifLog::parse(text.as_bytes()).expect_err("broken").to_string();
    assert!(parse("{\"a\": ").starts_with("not JSON: EOF while parsing"), "{}", parse("{\"a\": "));
    assert_eq!(parse("[]"), "expected an object, found an array");
    assert_eq!(parse("{}"), "not SARIF: there is no \"version\"");
    assert_eq!(
        parse("{\"version\": \"1.0.0\"}"),
        "at /version: SARIF version \"1.0.0\"; Byway reads 2.1"
    );
    assert_eq!(error(&json!({"version": "2.1.0"})), "there is no \"runs\"");
    let broken = |pointer: &str, value: Value| {
        let mut document = clang();
        *document.pointer_mut(pointer).expect("a member") = value;
        error(&document)
    };
    let result = "/runs/0/results/0";
    assert_eq!(
        broken("/runs/0/results", json!(7)),
        "at /runs/0/results: expected an array, found a number"
    );
    let line = format!("{result}/locations/0/physicalLocation/region/startLine");
    assert_eq!(
        broken(&line, json!("7")),
        format!("at {line}: expected a number from 0, found a string")
    );
    let artifact = format!("{result}/locations/0/physicalLocation/artifactLocation");
    assert_eq!(
        broken(&artifact, json!({"index": 4})),
        format!("at {artifact}/index: there is no artifact 4")
    );
    for uri in ["https://example.org/a.c", "file://elsewhere/a.c", "file:///a%2", "a%ff.c"] {
        let expected = format!("at {artifact}/uri: {uri:?} names no local file");
        assert_eq!(broken(&artifact, json!({"uri": uri})), expected);
    }
}

#[test]
fn circular_bases_end() {
    let mut document = gcc();
    document["runs"][1]["originalUriBaseIds"]["PWD"] = json!({"uri": "x/", "uriBaseId": "SRC"});
    assert!(error(&document).ends_with("the base of paths \"SRC\" refers to itself"));
}

#[test]
fn fuzz_sarif() {
    let seeds = [clang().to_string(), gcc().to_string()];
    Fuzz::new("sarif", seeds).run(|bytes| {
        let parsed = SarifLog::parse(bytes).and_then(|mut log| {
            let findings = log.findings()?;
            for finding in &findings {
                log.annotate(finding, json!({"verdict": "undecided"}));
                log.propose_suppression(finding, "reason");
            }
            // What was written is read back as the same.
            let again = SarifLog::parse(log.to_text().as_bytes())?;
            assert_eq!(again.findings()?, findings);
            Ok(findings.len())
        });
        match parsed {
            Ok(count) => format!("{} findings", count.min(3)),
            Err(error) => error.to_string(),
        }
    });
}
