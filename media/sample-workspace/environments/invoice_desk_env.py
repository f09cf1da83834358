import random


class InvoiceDeskEnv(ToolUseBaseEnv):
    """Tool use, one task: add up what a customer still owes."""

    NAMES = ["Aster Mills", "Birch Foods", "Cedar Works", "Dune Optics", "Elm Couriers"]

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn_count = 0
        self._call_history = []
        invoices = {}
        for number in range(rng.randint(1100, 1900), 10_000, rng.randint(7, 31)):
            if len(invoices) == 14:
                break
            invoices[f"INV-{number}"] = {
                "customer": rng.choice(self.NAMES),
                "cents": rng.randint(1_050, 98_999),
                "paid": rng.random() < 0.4,
            }
        self._customer = rng.choice(self.NAMES)
        # At least two open invoices, so that one look is never enough.
        for number in rng.sample(sorted(invoices), 2):
            invoices[number].update(customer=self._customer, paid=False)
        self._state = {"invoices": invoices}
        self._tools = {
            "find_invoices": {
                "description": "List the numbers of a customer's invoices.",
                "parameters": {
                    "type": "object",
                    "properties": {"customer": {"type": "string", "description": "Name of the customer"}},
                    "required": ["customer"],
                },
            },
            "read_invoice": {
                "description": "Read one invoice: amount and whether it is paid.",
                "parameters": {
                    "type": "object",
                    "properties": {"number": {"type": "string", "description": "Number of the invoice"}},
                    "required": ["number"],
                },
            },
        }
        self._expected_answer = f"{self._owed() / 100:.2f}"
        return (
            f"How much does {self._customer} still owe, over all unpaid invoices? Use the tools, then give the sum with two decimals "
            "as <answer>0.00</answer>."
        ), {}

    def _numbers(self):
        return sorted(n for n, invoice in self._state["invoices"].items() if invoice["customer"] == self._customer)

    def _owed(self):
        return sum(i["cents"] for i in self._state["invoices"].values() if i["customer"] == self._customer and not i["paid"])

    def tool_find_invoices(self, customer):
        numbers = sorted(n for n, invoice in self._state["invoices"].items() if invoice["customer"] == customer)
        return ", ".join(numbers) if numbers else f"No invoices for {customer}."

    def tool_read_invoice(self, number):
        invoice = self._state["invoices"].get(number)
        if invoice is None:
            return f"There is no invoice {number}."
        return f"{number}: {invoice['customer']}, {invoice['cents'] / 100:.2f}, {'paid' if invoice['paid'] else 'open'}"

    def solution(self):
        steps = [f"1. find_invoices(customer={self._customer!r})"]
        steps += [f"{i}. read_invoice(number={number!r})" for i, number in enumerate(self._numbers(), start=2)]
        return "\n".join(steps) + f"\nANSWER: {self._expected_answer}"
