"""RBP and ERR of a whole grid: exact expectations, viewing orders, saliency, layouts."""
