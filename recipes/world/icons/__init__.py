"""The icon world: the classes of GenEval and more, any of them in any of eleven colours."""
