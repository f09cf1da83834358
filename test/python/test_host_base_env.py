"""``ToolUseBaseEnv``, run contract §3: every row of its table."""

import unittest

import host  # noqa: F401  puts the host on the path
from envwright_host.tool_use_base_env import ToolUseBaseEnv


class Shop(ToolUseBaseEnv):
    def reset(self, seed=None):
        self.turn_count = 0
        self._call_history = []
        self._tools = {"price": {"description": "Price of one item", "parameters": {"type": "object", "properties": {"item": {"type": "string"}}}}, "list": {}}
        self._expected_answer = "1,200.50"
        return "How much?", {}

    def tool_price(self, item):
        return {"tea": 3}[item]

    def tool_hidden(self):
        return "seen"

    def solution(self):
        return "the way"


def call(name, arguments="{}"):
    return f'<tool_call>{{"name": "{name}", "arguments": {arguments}}}</tool_call>'


class Table(unittest.TestCase):
    def last(self):
        env = Shop(max_turns=1)
        return env

    def flags(self, env, action):
        observation, reward, terminated, truncated, info = env.step(action)
        self.assertIsInstance(observation, str)
        self.assertEqual({}, info)
        return observation, (reward, terminated, truncated)

    def test_a_right_answer_pays_one_and_ends_also_at_the_last_turn(self):
        self.assertEqual((1.0, True, False), self.flags(Shop(), "<answer> $1200.5 </answer>")[1])
        self.assertEqual((1.0, True, False), self.flags(self.last(), "<answer>1200.50</answer>")[1])

    def test_a_wrong_answer_costs_nothing_and_goes_on_until_the_last_turn_shows_the_solution(self):
        observation, flags = self.flags(Shop(), "<answer>7</answer>")
        self.assertEqual((0.0, False, False), flags)
        self.assertNotIn("the way", observation)
        observation, flags = self.flags(self.last(), "<answer>7</answer>")
        self.assertEqual((0.0, False, True), flags)
        self.assertIn("the way", observation)

    def test_no_call_and_a_call_that_is_no_object_cost_a_tenth(self):
        for action in ("hello", "<tool_call>not json</tool_call>", "<tool_call>[1]</tool_call>"):
            self.assertEqual((-0.1, False, False), self.flags(Shop(), action)[1], action)
            observation, flags = self.flags(self.last(), action)
            self.assertEqual((0.0, False, True), flags, action)
            self.assertIn("the way", observation)

    def test_an_unknown_tool_lists_the_known_ones(self):
        observation, flags = self.flags(Shop(), call("cost"))
        self.assertEqual((0.0, False, False), flags)
        self.assertIn("price, list", observation)
        self.assertEqual((0.0, False, True), self.flags(self.last(), call("cost"))[1])

    def test_a_tool_gives_its_text_declared_or_not_and_an_exception_becomes_text(self):
        env = Shop()
        self.assertIn("3", self.flags(env, call("price", '{"item": "tea"}'))[0])
        self.assertIn("seen", self.flags(env, call("hidden"))[0])
        observation, flags = self.flags(env, call("price", '{"item": "rum"}'))
        self.assertIn("rum", observation)
        self.assertEqual((0.0, False, False), flags)
        self.assertEqual([("price", "3"), ("hidden", "seen")], [(kept["name"], kept["result"]) for kept in env._call_history])
        self.assertIn("the way", self.flags(self.last(), call("hidden"))[0])

    def test_the_answer_comes_before_the_call(self):
        self.assertEqual(1.0, Shop().step(call("price") + "<answer>1200.50</answer>")[1])

    def test_the_inherited_solution_raises_at_the_last_turn(self):
        class Bare(ToolUseBaseEnv):
            def reset(self, seed=None):
                return "x", {}

        with self.assertRaises(NotImplementedError):
            Bare(max_turns=1).step("hello")
        with self.assertRaises(NotImplementedError):
            ToolUseBaseEnv()


class Answers(unittest.TestCase):
    def accepted(self, expected, answer):
        env = Shop()
        env._expected_answer = expected
        return env._check_answer(answer)

    def test_an_unset_answer_is_beaten_by_none_and_small_numbers_are_equal(self):
        self.assertTrue(self.accepted(None, "none"))
        self.assertTrue(self.accepted("0", "0.004"))
        self.assertTrue(self.accepted("Blue ", " bLUE"))
        self.assertFalse(self.accepted("1", "1.01"))
        self.assertFalse(self.accepted("nan", "nan2"))

    def test_a_refused_answer_names_the_open_message(self):
        env = Shop()
        env._user_messages, env._current_msg = ["first", "second"], 1
        self.assertIn("second", env.step("<answer>done</answer>")[0])


class NativeCalls(unittest.TestCase):
    def test_they_cost_no_turn_and_report_a_return_code(self):
        env = Shop()
        self.assertEqual({"output": "3", "returncode": 0}, env.execute_tool("price", {"item": "tea"}))
        self.assertEqual(1, env.execute_tool("price", {"item": "rum"})["returncode"])
        self.assertEqual(1, env.execute_tool("nothing", {})["returncode"])
        self.assertEqual((0, 1), (env.turn_count, len(env._call_history)))

    def test_the_schema_is_that_of_function_calling(self):
        first, second = Shop().get_tools()
        self.assertEqual(("function", "price", "Price of one item"), (first["type"], first["function"]["name"], first["function"]["description"]))
        self.assertEqual({"type": "object", "properties": {}}, second["function"]["parameters"])


if __name__ == "__main__":
    unittest.main()
