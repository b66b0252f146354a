//! The costs by number of states, as a plot.

use byway_lab::plot::{Curve, CurvePoint, Plot, PlotScale};

use super::results::SimulationResults;

/// The plot as an SVG file.
pub fn render(results: &SimulationResults) -> String {
    let names = results
        .sizes
        .first()
        .map_or(Vec::new(), |size| size.strategies.iter().map(|strategy| strategy.name).collect());
    let curve = |(number, name): (usize, &&'static str)| Curve {
        number,
        name,
        points: results
            .sizes
            .iter()
            .filter_map(|size| {
                // Chance can put the mean of some runs below the expected optimum.
                let ratio = size.strategies[number].ratio?.max(1.0);
                Some(CurvePoint { x: size.states as f64, y: ratio, band: None })
            })
            .collect(),
        banded: false,
        faint: false,
    };
    let plot = Plot {
        title: "Cost of covering every state, as a multiple of the optimum".into(),
        x_label: "states",
        end: results.sizes.iter().map(|size| size.states as f64).fold(0.0, f64::max),
        scale: PlotScale::Logarithmic,
        curves: names.iter().enumerate().map(curve).collect(),
        number: 1,
    };
    plot.standalone()
}
