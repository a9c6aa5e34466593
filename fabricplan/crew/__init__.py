"""The physical plan as numbers: racks with power and weight, trays, work packages, labels, lengths, progress.

Language-neutral; renderers draw and print it.
"""
