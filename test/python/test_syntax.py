"""Every Python file that ships is valid for every version it may meet."""

import ast
import os
import sys
import unittest

from host import ROOT

OLDEST, NEWEST = 9, 14
ANY = frozenset({"*"})


def sources():
    for folder, _, names in os.walk(os.path.join(ROOT, "src", "python")):
        yield from (os.path.join(folder, name) for name in sorted(names) if name.endswith(".py"))


class Syntax(unittest.TestCase):
    def test_all_versions_from_3_9_on_can_read_all_files(self):
        files = list(sources())
        self.assertGreater(len(files), 10)
        for path in files:
            with open(path, encoding="utf-8") as file:
                text = file.read()
            for minor in range(OLDEST, min(NEWEST, sys.version_info[1]) + 1):
                with self.subTest(path=path, minor=minor):
                    ast.parse(text, path, feature_version=(3, minor))

    def test_only_the_standard_library_is_imported(self):
        """The list of its modules exists from 3.10 on; ``spade`` is what the link module meets in a run."""
        known = {*getattr(sys, "stdlib_module_names", ANY), "spade"}
        for path in sources():
            with open(path, encoding="utf-8") as file:
                tree = ast.parse(file.read(), path)
            for node in ast.walk(tree):
                names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
                if isinstance(node, ast.ImportFrom) and node.level == 0:
                    names = [node.module or ""]
                for name in names:
                    top = name.partition(".")[0]
                    self.assertTrue(known == {*ANY, "spade"} or top in known or top.startswith("envwright_"), f"{path} imports {name}")


if __name__ == "__main__":
    unittest.main()
