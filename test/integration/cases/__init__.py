"""The tables of the corpus."""

from . import complex, data_sized, elementwise, graph, graph_elementwise, graph_indexing, named, narrow, operators, program, reduction, tensor

CASES = [
    case
    for table in (graph_elementwise, graph, graph_indexing, complex, elementwise, operators, reduction, named, narrow, tensor, data_sized, program)
    for case in table.CASES
]

assert len({case.name for case in CASES}) == len(CASES), "two cases of one name"
