"""The worlds of stickers and icons: scenes with ground truth, captions, questions and images.

`classes` and `worlds` say what exists, `scenes` puts it together, `captions` talks about it,
`questions` asks about it, `truth` knows the answer, `art` draws it and `splits` keeps test
compositions apart. A `Domain` of `domains` is what a recipe takes.
"""
