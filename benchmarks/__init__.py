"""Benchmarks: one question per module, answered with a table and a last line of JSON.

python -m benchmarks NAME --help
"""
