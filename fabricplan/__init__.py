"""Design, prove, quote and cable Clos fabrics for GPU clusters."""
