"""The linked-data site: the graph as pages and as data, its SPARQL endpoint, and games checked in the browser.

Only the commands `serve` and `site` import the web framework: it needs the extra `site`. `game` needs nothing.
"""
