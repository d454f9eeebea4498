"""How good the data are: SHACL validation and its report, the ontologies' lint, mutation of axioms, generated references."""
