"""How good the axioms' tests are."""
