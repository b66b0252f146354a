//! Writes KLEE's files as a run goes on, and prints KLEE's lines.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::{Instant, SystemTime};

use byway_base::{Fault, Outcome, SrcLoc, StackFrame, Unsupported, UnsupportedFeature};
use byway_engine::{CALLING_EXTERNAL, Control, Exploration, OutputReceiver, PathEnd};
use byway_ir::Module;
use byway_rundir::{EndReason, Result, RunDirError, RunSummary, RunWriter, SampleRecord};

use super::assembly::AssemblyLines;
use super::clock::local_time;
use super::covered_code::CoveredCode;
use super::info::{KleeInfo, done_lines};
use super::messages::KleeMessages;
use super::settings::KleeSettings;
use super::statistics::{self, KleeStatistics};
use super::terminal::TerminalOutput;

use super::{error_file, error_kinds, xml};
use crate::branch_file;
use crate::cmd::run::listener::{ListenedPath, RunListener};
use crate::report;

/// Shows a run as KLEE does.
pub struct KleeListener {
    settings: KleeSettings,
    messages: KleeMessages,
    info: KleeInfo,
    directory: PathBuf,
    code: CoveredCode,
    assembly: AssemblyLines,
    statistics: Option<KleeStatistics>,
    /// When the profile was last written.
    profiled: Instant,
    /// What was reported as missing, and where.
    missing: BTreeSet<(String, Option<SrcLoc>)>,
    /// Tests written.
    tests: u64,
    /// When the last path ended.
    last: Instant,
    /// An error ended the run, as the options ask for.
    stops: Rc<Cell<bool>>,
}

impl KleeListener {
    pub fn new(
        settings: KleeSettings,
        messages: KleeMessages,
        info: KleeInfo,
        assembly: AssemblyLines,
        module: &Module,
    ) -> KleeListener {
        KleeListener {
            settings,
            messages,
            info,
            directory: PathBuf::new(),
            code: CoveredCode::new(module, &assembly),
            assembly,
            statistics: None,
            profiled: Instant::now(),
            missing: BTreeSet::new(),
            tests: 0,
            last: Instant::now(),
            stops: Rc::default(),
        }
    }

    /// Set if an error ends the run, as the options ask for.
    pub fn stops(&self) -> Rc<Cell<bool>> {
        Rc::clone(&self.stops)
    }

    /// The path of a file of the test that is written now.
    fn test_file(&self, extension: &str) -> PathBuf {
        self.directory.join(format!("test{:06}.{extension}", self.tests))
    }

    fn write_test(&mut self, path: &ListenedPath, name: &str, writer: &mut RunWriter) {
        self.tests += 1;
        writer.link_test(name, self.test_file("ktest"));
        let is_error = matches!(path.end.outcome, Outcome::Fault(_));
        if let Some((kind, text)) = ending(path.end, &self.assembly) {
            writer.add_file(self.test_file(&kind), text.into_bytes());
        }
        if let Some(test) = path.end.test.as_ref().filter(|_| self.settings.writes_xml) {
            writer.add_file(self.test_file("xml"), xml::test(test, is_error).into_bytes());
        }
        if let Some(condition) = &path.end.condition {
            for (extension, text) in [("smt2", &condition.smtlib), ("kquery", &condition.kquery)] {
                if let Some(text) = text {
                    writer.add_file(self.test_file(extension), text.clone().into_bytes());
                }
            }
        }
        if let Some(branches) = &path.end.branches {
            let [executed, forked] = self.settings.writes_branches;
            let files =
                [("path", &branches.executed, executed), ("sym.path", &branches.forked, forked)];
            for (extension, decisions, _) in files.into_iter().filter(|(_, _, is_on)| *is_on) {
                writer.add_file(self.test_file(extension), branch_file::render(decisions));
            }
        }
        if self.settings.writes_info {
            let text = format!("Time to generate test case: {:?}\n", self.last.elapsed());
            writer.add_file(self.test_file("info"), text.into_bytes());
        }
    }

    fn report_fault(&mut self, fault: &Fault) {
        let message = error_kinds::message(fault.kind, &fault.message);
        self.report(&message, fault.culprit());
    }

    /// Reports what is missing on a path, once for each location.
    fn report_unsupported(&mut self, missing: &Unsupported) {
        let culprit = missing.stack.iter().find(|frame| frame.user && frame.loc.is_some());
        let culprit = culprit.or(missing.stack.first());
        let message = unsupported(&missing.feature);
        let at = culprit.and_then(|frame| frame.loc.clone());
        if self.missing.insert((message.clone(), at)) {
            self.report(&message, culprit);
        }
    }

    fn report(&mut self, message: &str, culprit: Option<&StackFrame>) {
        let at = culprit.and_then(|frame| frame.loc.as_ref());
        let at = at.map_or("(location information missing) ".to_string(), |at| {
            format!("{}:{}: ", at.file, at.line)
        });
        self.messages.message(&format!("ERROR: {at}{}", report::visible(message)));
        if !self.settings.emits_all_errors {
            self.messages.message("NOTE: now ignoring this error at this location");
        }
    }

    fn write_profile(&mut self) -> Result<()> {
        self.profiled = Instant::now();
        let program = self.settings.program.display().to_string();
        statistics::write_profile(&self.directory, &program, &self.code)
    }

    fn write_metadata(&self) -> Result<()> {
        let [file, hash] = &self.settings.xml_metadata;
        let file = file.clone().unwrap_or_else(|| self.settings.program.display().to_string());
        let text = xml::metadata(
            &file,
            hash.as_deref().unwrap_or_default(),
            "main",
            &local_time(SystemTime::now()),
        );
        let path = self.directory.join("metadata.xml");
        std::fs::write(&path, text).map_err(|error| RunDirError::io("write", &path, &error))
    }
}

/// The extension and the contents of the file that says how a path ended, unless by itself.
fn ending(path: &PathEnd, assembly: &AssemblyLines) -> Option<(String, String)> {
    let early = |why: &str| Some(("early".to_string(), format!("{why}\n")));
    match &path.outcome {
        Outcome::Fault(fault) => {
            let extension = format!("{}.err", error_kinds::extension(fault.kind));
            Some((extension, error_file::render(fault, path.number, assembly)))
        }
        Outcome::Unsupported(it) => {
            let extension = match it.feature {
                UnsupportedFeature::Function(_) | UnsupportedFeature::SymbolicArgument(_) => {
                    "external.err"
                }
                _ => "exec.err",
            };
            let error = unsupported(&it.feature);
            let stack = error_file::stack(&it.stack, assembly);
            Some((extension.into(), format!("Error: {error}\nStack: \n{stack}")))
        }
        Outcome::InternalError(it) => {
            let stack = error_file::stack(&it.stack, assembly);
            Some(("exec.err".into(), format!("Error: {}\nStack: \n{stack}", it.kind.name())))
        }
        Outcome::OutOfBudget => early("a limit was reached."),
        Outcome::Interrupted => early("Execution halting (paths remaining)."),
        Outcome::Dropped(limit) => early(&format!("dropped: {}.", limit.name())),
        Outcome::Exit(_) | Outcome::Excluded => None,
    }
}

/// KLEE's words for what Byway lacks.
fn unsupported(feature: &UnsupportedFeature) -> String {
    match feature {
        UnsupportedFeature::Function(name) => format!("failed external call: {name}"),
        UnsupportedFeature::SymbolicArgument(name) => {
            format!("external call with symbolic argument: {name}")
        }
        feature => format!("unsupported: {feature}"),
    }
}

impl RunListener for KleeListener {
    fn begin(&mut self, directory: &Path) -> Result<()> {
        self.directory = directory.to_path_buf();
        let failed = |error| RunDirError::io("write into", directory, &error);
        self.messages.open(directory).map_err(failed)?;
        self.info.write(directory).map_err(failed)?;
        if self.settings.writes_statistics {
            self.statistics = Some(KleeStatistics::create(directory)?);
        }
        if self.settings.writes_xml {
            self.write_metadata()?;
        }
        let count = self.settings.replayed.len();
        for (index, file) in self.settings.replayed.iter().enumerate() {
            let bytes = file.metadata().map_or(0, |it| it.len());
            let (number, file) = (index + 1, file.display());
            self.messages.message(&format!("replaying: {file} ({bytes} bytes) ({number}/{count})"));
        }
        Ok(())
    }

    fn path(&mut self, path: &ListenedPath, writer: &mut RunWriter) -> Result<Control> {
        let lines = self.code.cover(&path.end.sites);
        match (&path.end.outcome, path.fault) {
            (_, Some((fault, true))) => self.report_fault(fault),
            (Outcome::Unsupported(missing), _) => self.report_unsupported(missing),
            _ => {}
        }
        if let Some(name) = path.test {
            self.write_test(path, name, writer);
            if self.settings.writes_coverage {
                let text: String =
                    lines.iter().map(|(file, line)| format!("{file}:{line}\n")).collect();
                writer.add_file(self.test_file("cov"), text.into_bytes());
            }
        }
        self.last = Instant::now();
        match path.fault {
            Some((fault, _)) if self.settings.stops_at.contains(&fault.kind) => {
                self.stops.set(true);
                let text = error_file::render(fault, path.end.number, &self.assembly);
                self.messages.message(&format!("EXITING ON ERROR:\n{text}"));
                Ok(Control::Stop)
            }
            _ => Ok(Control::Continue),
        }
    }

    fn message(&mut self, text: &str) {
        let text = report::visible(text);
        match text.starts_with(CALLING_EXTERNAL) {
            true => self.messages.warning_once(&text),
            false => self.messages.warning(&text),
        }
    }

    fn sample(&mut self, sample: &SampleRecord) -> Result<()> {
        let interval = self.settings.profile_interval.filter(|_| self.settings.writes_profile);
        if interval.is_some_and(|interval| self.profiled.elapsed() >= interval) {
            self.write_profile()?;
        }
        let counts = self.code.counts;
        self.statistics.as_mut().map_or(Ok(()), |statistics| statistics.append(sample, counts))
    }

    fn interrupted(&mut self) {
        self.messages.message("ctrl-c detected, requesting interpreter to halt.");
    }

    fn finish(&mut self, directory: &Path, summary: &RunSummary, _: &Exploration) -> Result<()> {
        if matches!(summary.ended, EndReason::MaxTime | EndReason::MaxCpu) {
            self.messages.message("HaltTimer invoked");
        }
        if summary.totals.lost.unfinished > 0 {
            self.messages.message("halting execution, dumping remaining states");
        }
        for cause in report::incomplete_causes(summary) {
            self.messages.warning(&format!("incomplete: {cause}"));
        }
        if let Some(statistics) = self.statistics.take() {
            statistics.finish()?;
        }
        if self.settings.writes_profile {
            self.write_profile()?;
        }
        let written = self.info.finish(directory, summary);
        written.map_err(|error| RunDirError::io("write into", directory, &error))?;
        crate::console::say("");
        for line in done_lines(summary) {
            self.messages.message(&line);
        }
        Ok(())
    }

    fn output(&self) -> Option<&'static (dyn OutputReceiver + Sync)> {
        Some(&TerminalOutput)
    }
}
