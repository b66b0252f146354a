//! The functions: those of the paper's table 2.

/// The functions, as GSL names them. The last four are static functions of `linalg/tridiag.c`.
pub const FUNCTIONS: [&str; 20] = [
    "coulomb_FG0_series",
    "coulomb_FGmhalf_series",
    "dilog_xge0",
    "gsl_sf_Chi_e",
    "gsl_sf_bessel_Inu_scaled_asymp_unif_e",
    "gsl_sf_bessel_JY_mu_restricted",
    "gsl_sf_bessel_Knu_scaled_asymp_unif_e",
    "gsl_sf_bessel_cos_pi4_e",
    "gsl_sf_bessel_sin_pi4_e",
    "gsl_sf_coupling_6j_e",
    "gsl_sf_elljac_e",
    "gsl_sf_exprel_n_e",
    "gsl_sf_hyperg_U_large_b_e",
    "gsl_sf_lngamma_e",
    "gsl_sf_lnpoch_sgn_e",
    "lnpoch_pos",
    "solve_cyc_tridiag",
    "solve_cyc_tridiag_nonsym",
    "solve_tridiag",
    "solve_tridiag_nonsym",
];
