"""The SPARQL endpoint: SPARQL 1.1 Protocol §2.1 (queries), SPARQL 1.1 Service Description, and an editor for people.

A query runs in a process of its own kind (`worker`), which can be killed: a query of Oxigraph cannot be cancelled.
Workers import this package, and so it imports nothing: `routes` is in `rulewright.site.sparql.endpoint`.
"""
