"""How good the data are: validation and its report, the ontologies' lint, mutation of axioms, generated references."""
