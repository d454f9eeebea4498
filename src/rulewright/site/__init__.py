"""The linked-data site: the graph as pages and as data, its SPARQL endpoint, and games checked in the browser.

Only the commands `serve` and `site` import it: it needs the extra `site`.
"""
