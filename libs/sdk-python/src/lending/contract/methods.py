"""A method for each route. Generated from schemas/openapi.json: npm run schemas:sdk."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Literal

from ..listing import Listing
from ..route import AnswerT, ItemT, PagedRoute, Parameters, Route
from . import routes, shapes


class RouteMethods(ABC):
    @abstractmethod
    def _call(
        self,
        route: Route[AnswerT],
        parameters: Parameters,
        body: object = None,
        idempotency_key: str | None = None,
        caller_request_id: str | None = None,
    ) -> AnswerT: ...

    @abstractmethod
    def _list(
        self,
        route: PagedRoute[AnswerT, ItemT],
        parameters: Parameters,
        body: Mapping[str, object] | None = None,
        caller_request_id: str | None = None,
    ) -> Listing[AnswerT, ItemT]: ...

    def list_loans(
        self,
        *,
        client_id: str | None = None,
        configuration_id: str | None = None,
        merchant_ref: str | None = None,
        state: str | None = None,
        on: str | date | None = None,
        limit: int | None = None,
        caller_request_id: str | None = None,
    ) -> Listing[shapes.LoanPage, shapes.LoanRow | shapes.RecordedLoanRow]:
        """
        List Loans: `GET /v1/tenants/{tenant_id}/loans`

        Reads the books of the Clients whose Loans are on the page, all as of one moment. With `state` or `client_id`, at most ten times `limit` Loans are examined for a page, so a page may be short or empty and still have a `cursor`. A Loan issued with a hold and not confirmed is listed only if `state` is `held`, `expired` or `voided`. Its position is that of its issuance: if it is confirmed while a caller reads the pages, it may or may not appear. If the book of a Client cannot be computed, the other Clients are not affected: its Loans are listed from their own recorded facts alone, with `book_not_derivable` in their `anomalies`. Read your write: yes.
        """
        return self._list(routes.list_loans, {"client_id": client_id, "configuration_id": configuration_id, "merchant_ref": merchant_ref, "state": state, "on": on, "limit": limit}, caller_request_id=caller_request_id)

    def issue_loan(
        self,
        body: shapes.LoanToIssue,
        *,
        caller_request_id: str | None = None,
    ) -> shapes.Loan:
        """
        Issue a Loan: `POST /v1/tenants/{tenant_id}/loans`

        Reads the configuration version, the market's law and the book of the Client. Records an `issued` fact with the terms, plan, disclosure and regime, which never change. Every read shows it as soon as this is answered.
        """
        return self._call(routes.issue_loan, {}, body=body, caller_request_id=caller_request_id)

    def preview_loan(
        self,
        body: shapes.LoanToPreview,
        *,
        caller_request_id: str | None = None,
    ) -> shapes.LoanPreview:
        """
        Preview a Loan: `POST /v1/tenants/{tenant_id}/loans/preview`

        Runs every check of issuance in the same order, on the same facts, and records nothing. `reference` is ignored. Read your write: yes.
        """
        return self._call(routes.preview_loan, {}, body=body, caller_request_id=caller_request_id)

    def read_loan(
        self,
        loan_id: str,
        *,
        caller_request_id: str | None = None,
    ) -> shapes.Loan:
        """
        Read a Loan: `GET /v1/tenants/{tenant_id}/loans/{loan_id}`

        Reads the book of the Loan's Client: every fact recorded about the Client. The state is computed from all recorded facts. The read takes no day. Read your write: yes.
        """
        return self._call(routes.read_loan, {"loan_id": loan_id}, caller_request_id=caller_request_id)

    def confirm_loan(
        self,
        loan_id: str,
        body: shapes.ActOnADay,
        *,
        caller_request_id: str | None = None,
    ) -> shapes.Loan:
        """
        Confirm a held Loan: `POST /v1/tenants/{tenant_id}/loans/{loan_id}/confirm`

        The hold ends, and the Loan is in force from this day on. Records a `confirmed` fact about the Loan, and answers the whole Loan. Every read shows it as soon as this is answered.
        """
        return self._call(routes.confirm_loan, {"loan_id": loan_id}, body=body, caller_request_id=caller_request_id)

    def void_loan(
        self,
        loan_id: str,
        body: shapes.ActOnADay,
        *,
        caller_request_id: str | None = None,
    ) -> shapes.Loan:
        """
        Void a held Loan: `POST /v1/tenants/{tenant_id}/loans/{loan_id}/void`

        The Loan counts as not issued. Records a `voided` fact about the Loan, and answers the whole Loan. Every read shows it as soon as this is answered.
        """
        return self._call(routes.void_loan, {"loan_id": loan_id}, body=body, caller_request_id=caller_request_id)

    def cancel_loan(
        self,
        loan_id: str,
        body: shapes.ActOnADay,
        *,
        caller_request_id: str | None = None,
    ) -> shapes.Loan:
        """
        Cancel a Loan: `POST /v1/tenants/{tenant_id}/loans/{loan_id}/cancel`

        Only while no Receipt has settled anything on it. Records a `cancelled` fact about the Loan, and answers the whole Loan. Every read shows it as soon as this is answered.
        """
        return self._call(routes.cancel_loan, {"loan_id": loan_id}, body=body, caller_request_id=caller_request_id)

    def rescind_loan(
        self,
        loan_id: str,
        body: shapes.ActOnADay,
        *,
        caller_request_id: str | None = None,
    ) -> shapes.Loan:
        """
        Rescind a Loan: `POST /v1/tenants/{tenant_id}/loans/{loan_id}/rescind`

        The Loan is undone, and what it received goes back to the Client. Records a `rescinded` fact about the Loan, and answers the whole Loan. Every read shows it as soon as this is answered.
        """
        return self._call(routes.rescind_loan, {"loan_id": loan_id}, body=body, caller_request_id=caller_request_id)

    def withdraw_loan(
        self,
        loan_id: str,
        body: shapes.ActOnADay,
        *,
        caller_request_id: str | None = None,
    ) -> shapes.Loan:
        """
        Withdraw from a Loan: `POST /v1/tenants/{tenant_id}/loans/{loan_id}/withdraw`

        The borrower withdraws within the days the product or the law gives. Records a `withdrawn` fact about the Loan, and answers the whole Loan. Every read shows it as soon as this is answered.
        """
        return self._call(routes.withdraw_loan, {"loan_id": loan_id}, body=body, caller_request_id=caller_request_id)

    def suspend_loan(
        self,
        loan_id: str,
        body: shapes.SuspensionAct,
        *,
        caller_request_id: str | None = None,
    ) -> shapes.Loan:
        """
        Suspend a Loan: `POST /v1/tenants/{tenant_id}/loans/{loan_id}/suspension`

        The days from `on` to `to` do not count for lateness or penalty. Records a `suspended` fact about the Loan, and answers the whole Loan. Every read shows it as soon as this is answered.
        """
        return self._call(routes.suspend_loan, {"loan_id": loan_id}, body=body, caller_request_id=caller_request_id)

    def end_suspension(
        self,
        loan_id: str,
        body: shapes.SuspensionEndAct,
        *,
        caller_request_id: str | None = None,
    ) -> shapes.Loan:
        """
        End a suspension early: `POST /v1/tenants/{tenant_id}/loans/{loan_id}/suspension-end`

        Days count for lateness and penalty again from `on`. Records a `suspension_ended` fact about the Loan, and answers the whole Loan. Every read shows it as soon as this is answered.
        """
        return self._call(routes.end_suspension, {"loan_id": loan_id}, body=body, caller_request_id=caller_request_id)

    def waive_charge(
        self,
        loan_id: str,
        body: shapes.WaiverAct,
        *,
        caller_request_id: str | None = None,
    ) -> shapes.Loan:
        """
        Waive a charge: `POST /v1/tenants/{tenant_id}/loans/{loan_id}/waiver`

        Releases part of a charge of one period. Records a `waived` fact about the Loan, and answers the whole Loan. Every read shows it as soon as this is answered.
        """
        return self._call(routes.waive_charge, {"loan_id": loan_id}, body=body, caller_request_id=caller_request_id)

    def return_goods(
        self,
        loan_id: str,
        body: shapes.ReturnAct,
        *,
        caller_request_id: str | None = None,
    ) -> shapes.Loan:
        """
        Return goods: `POST /v1/tenants/{tenant_id}/loans/{loan_id}/return`

        Splits the value of what went back by what the Loan still owed. Records a `returned` fact about the Loan, and answers the whole Loan. Every read shows it as soon as this is answered.
        """
        return self._call(routes.return_goods, {"loan_id": loan_id}, body=body, caller_request_id=caller_request_id)

    def roll_over_loan(
        self,
        loan_id: str,
        body: shapes.ActOnADay,
        *,
        caller_request_id: str | None = None,
    ) -> shapes.Loan:
        """
        Roll a payday Loan over: `POST /v1/tenants/{tenant_id}/loans/{loan_id}/rollover`

        Opens another period for its principal. Records a `rolled_over` fact about the Loan, and answers the whole Loan. Every read shows it as soon as this is answered.
        """
        return self._call(routes.roll_over_loan, {"loan_id": loan_id}, body=body, caller_request_id=caller_request_id)

    def restructure_loan(
        self,
        loan_id: str,
        body: shapes.RestructureAct,
        *,
        caller_request_id: str | None = None,
    ) -> shapes.Loan:
        """
        Restructure a Loan: `POST /v1/tenants/{tenant_id}/loans/{loan_id}/restructure`

        Makes a new plan of what is owed. Records a `restructured` fact about the Loan, and answers the whole Loan. Every read shows it as soon as this is answered.
        """
        return self._call(routes.restructure_loan, {"loan_id": loan_id}, body=body, caller_request_id=caller_request_id)

    def accelerate_loan(
        self,
        loan_id: str,
        body: shapes.AccelerationAct,
        *,
        caller_request_id: str | None = None,
    ) -> shapes.Loan:
        """
        Call the whole balance: `POST /v1/tenants/{tenant_id}/loans/{loan_id}/acceleration`

        Everything owed falls due on `on`. Records a `accelerated` fact about the Loan, and answers the whole Loan. Every read shows it as soon as this is answered.
        """
        return self._call(routes.accelerate_loan, {"loan_id": loan_id}, body=body, caller_request_id=caller_request_id)

    def settle_loan(
        self,
        loan_id: str,
        body: shapes.SettlementAct,
        *,
        caller_request_id: str | None = None,
    ) -> shapes.Loan:
        """
        Agree a settlement for less: `POST /v1/tenants/{tenant_id}/loans/{loan_id}/settlement`

        The agreed sum discharges the Loan where it comes in time. Records a `settled_for_less` fact about the Loan, and answers the whole Loan. Every read shows it as soon as this is answered.
        """
        return self._call(routes.settle_loan, {"loan_id": loan_id}, body=body, caller_request_id=caller_request_id)

    def write_off_loan(
        self,
        loan_id: str,
        body: shapes.ActOnADay,
        *,
        caller_request_id: str | None = None,
    ) -> shapes.Loan:
        """
        Write a Loan off: `POST /v1/tenants/{tenant_id}/loans/{loan_id}/write-off`

        Charging stops; the debt stays on record at its cost. Records a `written_off` fact about the Loan, and answers the whole Loan. Every read shows it as soon as this is answered.
        """
        return self._call(routes.write_off_loan, {"loan_id": loan_id}, body=body, caller_request_id=caller_request_id)

    def cede_loan(
        self,
        loan_id: str,
        body: shapes.ActOnADay,
        *,
        caller_request_id: str | None = None,
    ) -> shapes.Loan:
        """
        Cede a Loan: `POST /v1/tenants/{tenant_id}/loans/{loan_id}/cession`

        The debt is the assignee’s from the cut-off on. Records a `ceded` fact about the Loan, and answers the whole Loan. Every read shows it as soon as this is answered.
        """
        return self._call(routes.cede_loan, {"loan_id": loan_id}, body=body, caller_request_id=caller_request_id)

    def retract_fact(
        self,
        loan_id: str,
        body: shapes.RetractionAct,
        *,
        caller_request_id: str | None = None,
    ) -> shapes.Loan:
        """
        Withdraw a fact: `POST /v1/tenants/{tenant_id}/loans/{loan_id}/retraction`

        The fact named by `event_id` has no effect any more, on any day, and stays readable. Answers the whole Loan. Every read shows it as soon as this is answered.
        """
        return self._call(routes.retract_fact, {"loan_id": loan_id}, body=body, caller_request_id=caller_request_id)

    def quote_payoff(
        self,
        loan_id: str,
        body: shapes.ActOnADay,
        *,
        caller_request_id: str | None = None,
    ) -> shapes.PayoffQuote:
        """
        Quote a payoff: `POST /v1/tenants/{tenant_id}/loans/{loan_id}/payoff-quotes`

        Records the amount that discharges the Loan on the day, as the book is now. A quote does not bind, and does not change the book version. Every read shows it as soon as this is answered.
        """
        return self._call(routes.quote_payoff, {"loan_id": loan_id}, body=body, caller_request_id=caller_request_id)

    def list_payoff_quotes(
        self,
        loan_id: str,
        *,
        limit: int | None = None,
        caller_request_id: str | None = None,
    ) -> Listing[shapes.PayoffQuotePage, shapes.PayoffQuote]:
        """
        List the payoff quotes of a Loan: `GET /v1/tenants/{tenant_id}/loans/{loan_id}/payoff-quotes`

        Reads the book of the Loan's Client: every fact recorded about the Client. Read your write: yes.
        """
        return self._list(routes.list_payoff_quotes, {"loan_id": loan_id, "limit": limit}, caller_request_id=caller_request_id)

    def read_payoff_quote(
        self,
        loan_id: str,
        quote_id: str,
        *,
        caller_request_id: str | None = None,
    ) -> shapes.PayoffQuote:
        """
        Read a payoff quote: `GET /v1/tenants/{tenant_id}/loans/{loan_id}/payoff-quotes/{quote_id}`

        Reads the book of the Loan's Client: every fact recorded about the Client. Read your write: yes.
        """
        return self._call(routes.read_payoff_quote, {"loan_id": loan_id, "quote_id": quote_id}, caller_request_id=caller_request_id)

    def read_schedule(
        self,
        loan_id: str,
        *,
        on: str | date,
        known_at: str | None = None,
        caller_request_id: str | None = None,
    ) -> shapes.LoanSchedule:
        """
        Read a Loan's schedule on a day: `GET /v1/tenants/{tenant_id}/loans/{loan_id}/schedule`

        Reads the book of the Loan's Client: every fact recorded about the Client. The figures on the day. Read your write: yes.
        """
        return self._call(routes.read_schedule, {"loan_id": loan_id, "on": on, "known_at": known_at}, caller_request_id=caller_request_id)

    def read_delinquency(
        self,
        loan_id: str,
        *,
        on: str | date,
        known_at: str | None = None,
        caller_request_id: str | None = None,
    ) -> shapes.Delinquency:
        """
        Read a Loan's delays on a day: `GET /v1/tenants/{tenant_id}/loans/{loan_id}/delinquency`

        Reads the book of the Loan's Client: every fact recorded about the Client. The figures on the day. Read your write: yes.
        """
        return self._call(routes.read_delinquency, {"loan_id": loan_id, "on": on, "known_at": known_at}, caller_request_id=caller_request_id)

    def explain_loan(
        self,
        loan_id: str,
        *,
        on: str | date,
        known_at: str | None = None,
        caller_request_id: str | None = None,
    ) -> shapes.LoanExplanation:
        """
        Explain the figures of a Loan on a day: `GET /v1/tenants/{tenant_id}/loans/{loan_id}/explanation`

        Reads the book of the Loan's Client: every fact recorded about the Client. The Loan, its payment options and its schedule on the day as of one moment, the part of each period in every figure, and the newest fifty Receipts that settled something by the day. Read your write: yes.
        """
        return self._call(routes.explain_loan, {"loan_id": loan_id, "on": on, "known_at": known_at}, caller_request_id=caller_request_id)

    def read_loan_statement(
        self,
        loan_id: str,
        *,
        from_: str | date,
        to: str | date,
        known_at: str | None = None,
        caller_request_id: str | None = None,
    ) -> shapes.LoanStatement:
        """
        Read one Loan's statement: `GET /v1/tenants/{tenant_id}/loans/{loan_id}/statement`

        Reads the book of the Loan's Client: every fact recorded about the Client. Every change of what the Loan owes, both days included. Read your write: yes.
        """
        return self._call(routes.read_loan_statement, {"loan_id": loan_id, "from": from_, "to": to, "known_at": known_at}, caller_request_id=caller_request_id)

    def read_loan_evidence(
        self,
        loan_id: str,
        *,
        caller_request_id: str | None = None,
    ) -> shapes.LoanEvidence:
        """
        Prove the facts of a Loan: `GET /v1/tenants/{tenant_id}/loans/{loan_id}/evidence`

        Reads the book of the Loan's Client: every fact recorded about the Client. Each fact comes with the signed submission that caused it, so that it can be verified without the service. Read your write: yes.
        """
        return self._call(routes.read_loan_evidence, {"loan_id": loan_id}, caller_request_id=caller_request_id)

    def read_feed(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        caller_request_id: str | None = None,
    ) -> shapes.Feed:
        """
        Follow the events of all Loans: `GET /v1/tenants/{tenant_id}/loan-events`

        Reads the facts of all Loans of the Tenancy in the order of commit. A page without events and with an unchanged cursor is the end of the feed so far. Cursors never expire. Read your write: yes.
        """
        return self._call(routes.read_feed, {"limit": limit, "cursor": cursor}, caller_request_id=caller_request_id)

    def list_clients(
        self,
        *,
        limit: int | None = None,
        caller_request_id: str | None = None,
    ) -> Listing[shapes.ClientPage, shapes.Client]:
        """
        List the registered Clients: `GET /v1/tenants/{tenant_id}/clients`

        Reads the registrations of the Tenancy. Read your write: yes.
        """
        return self._list(routes.list_clients, {"limit": limit}, caller_request_id=caller_request_id)

    def register_client(
        self,
        client_id: str,
        body: shapes.ClientToRegister,
        *,
        caller_request_id: str | None = None,
    ) -> shapes.Client:
        """
        Register a Client: `PUT /v1/tenants/{tenant_id}/clients/{client_id}`

        Records the registration. The same registration again answers 200. A registration does not change the book version. Every read shows it as soon as this is answered.
        """
        return self._call(routes.register_client, {"client_id": client_id}, body=body, caller_request_id=caller_request_id)

    def read_client(
        self,
        client_id: str,
        *,
        caller_request_id: str | None = None,
    ) -> shapes.Client:
        """
        Read a Client's registration: `GET /v1/tenants/{tenant_id}/clients/{client_id}`

        Reads the book of the Client: every fact recorded about the Client. Read your write: yes.
        """
        return self._call(routes.read_client, {"client_id": client_id}, caller_request_id=caller_request_id)

    def read_payment_options(
        self,
        client_id: str,
        *,
        on: str | date,
        known_at: str | None = None,
        caller_request_id: str | None = None,
    ) -> shapes.PaymentOptions:
        """
        Read what a Client can pay on a day: `GET /v1/tenants/{tenant_id}/clients/{client_id}/payment-options`

        Reads the book of the Client: every fact recorded about the Client. The figures on the day. The `ETag` changes with every fact about the Client and with every release of the service; if it is sent in `If-None-Match` and still current, the answer is 304 without a body. For a Client that is not registered the answer is empty. Read your write: yes.
        """
        return self._call(routes.read_payment_options, {"client_id": client_id, "on": on, "known_at": known_at}, caller_request_id=caller_request_id)

    def read_statement(
        self,
        client_id: str,
        *,
        from_: str | date,
        to: str | date,
        known_at: str | None = None,
        caller_request_id: str | None = None,
    ) -> shapes.Statement:
        """
        Read a Client's statement: `GET /v1/tenants/{tenant_id}/clients/{client_id}/statement`

        Reads the book of the Client: every fact recorded about the Client. From `from` to `to`, both included. For a Client that is not registered the answer is empty. Read your write: yes.
        """
        return self._call(routes.read_statement, {"client_id": client_id, "from": from_, "to": to, "known_at": known_at}, caller_request_id=caller_request_id)

    def list_receipts(
        self,
        client_id: str,
        *,
        limit: int | None = None,
        caller_request_id: str | None = None,
    ) -> Listing[shapes.ReceiptPage, shapes.ReceiptRow]:
        """
        List a Client's Receipts: `GET /v1/tenants/{tenant_id}/clients/{client_id}/receipts`

        Reads the book of the Client: every fact recorded about the Client. For a Client that is not registered the answer is empty. Read your write: yes.
        """
        return self._list(routes.list_receipts, {"client_id": client_id, "limit": limit}, caller_request_id=caller_request_id)

    def read_obligations(
        self,
        client_id: str,
        *,
        limit: int | None = None,
        caller_request_id: str | None = None,
    ) -> Listing[shapes.Obligations, str]:
        """
        Read what is owed back to a Client: `GET /v1/tenants/{tenant_id}/clients/{client_id}/obligations`

        Reads the book of the Client: every fact recorded about the Client. `limit` applies to `receipts` only; all other members are complete. The service records what is owed and moves no money. For a Client that is not registered the answer is empty. Read your write: yes.
        """
        return self._list(routes.read_obligations, {"client_id": client_id, "limit": limit}, caller_request_id=caller_request_id)

    def read_book_version(
        self,
        client_id: str,
        *,
        caller_request_id: str | None = None,
    ) -> shapes.BookVersion:
        """
        Read the version of a Client's book: `GET /v1/tenants/{tenant_id}/clients/{client_id}/book-version`

        Reads the number of facts recorded about the Client and the moment of the last one. Compare both. Payoff quotes do not change them. Read your write: yes.
        """
        return self._call(routes.read_book_version, {"client_id": client_id}, caller_request_id=caller_request_id)

    def read_client_book(
        self,
        client_id: str,
        *,
        on: str | date,
        known_at: str | None = None,
        caller_request_id: str | None = None,
    ) -> shapes.ClientBook:
        """
        Read a Client's whole book on a day: `GET /v1/tenants/{tenant_id}/clients/{client_id}/book`

        Reads the book of the Client: every fact recorded about the Client. Everything that the other reads answer, as of one moment. For a Client that is not registered the answer is empty. Read your write: yes.
        """
        return self._call(routes.read_client_book, {"client_id": client_id, "on": on, "known_at": known_at}, caller_request_id=caller_request_id)

    def read_changes(
        self,
        client_id: str,
        *,
        on: str | date,
        from_facts: int,
        to_facts: int,
        known_at: str | None = None,
        caller_request_id: str | None = None,
    ) -> shapes.BookChanges:
        """
        Explain why figures changed: `GET /v1/tenants/{tenant_id}/clients/{client_id}/changes`

        Reads the book of the Client: every fact recorded about the Client. Compares the figures of a day in two book versions, and names the facts that changed each figure. Read your write: yes.
        """
        return self._call(routes.read_changes, {"client_id": client_id, "on": on, "from_facts": from_facts, "to_facts": to_facts, "known_at": known_at}, caller_request_id=caller_request_id)

    def simulate(
        self,
        client_id: str,
        body: shapes.SimulationToRun,
        *,
        caller_request_id: str | None = None,
    ) -> shapes.Simulation:
        """
        Simulate acts and Receipts: `POST /v1/tenants/{tenant_id}/clients/{client_id}/simulate`

        Reads the book of the Client: every fact recorded about the Client. Decides each supposed fact as its own route would, one after the other, and records nothing. A Loan issued earlier in the simulation is named by the reference of its issuance: `loan_reference` instead of `loan_id`, and for a Receipt `designated_loan_reference` instead of `designated_loan_id`. Read your write: yes.
        """
        return self._call(routes.simulate, {"client_id": client_id}, body=body, caller_request_id=caller_request_id)

    def read_merchant_book(
        self,
        merchant_ref: str,
        *,
        on: str | date,
        limit: int | None = None,
        caller_request_id: str | None = None,
    ) -> Listing[shapes.MerchantBook, shapes.MerchantRow | shapes.RecordedLoanRow]:
        """
        Read a merchant's book on a day: `GET /v1/tenants/{tenant_id}/merchants/{merchant_ref}/book`

        Reads the books of the Clients whose Loans name the merchant, all as of one moment. If the book of a Client cannot be computed, the other Clients are not affected: its Loans are listed from their own recorded facts alone, with `book_not_derivable` in their `anomalies`, and are not included in totals. Read your write: yes.
        """
        return self._list(routes.read_merchant_book, {"merchant_ref": merchant_ref, "on": on, "limit": limit}, caller_request_id=caller_request_id)

    def report_receipt(
        self,
        body: shapes.ReceiptToReport,
        *,
        caller_request_id: str | None = None,
    ) -> shapes.Receipt:
        """
        Report a Receipt: `POST /v1/tenants/{tenant_id}/receipts`

        Records money that arrived, by its value date, and answers how it was allocated. Money without a designated Loan is allocated over all Loans of the Client in its currency. Every read shows it as soon as this is answered.
        """
        return self._call(routes.report_receipt, {}, body=body, caller_request_id=caller_request_id)

    def report_receipts(
        self,
        body: shapes.ReceiptBatch,
        *,
        caller_request_id: str | None = None,
    ) -> shapes.ReceiptBatchOutcomes:
        """
        Report many Receipts: `POST /v1/tenants/{tenant_id}/receipts/batch`

        Records each Receipt by itself, those of one Client in the order of the batch. `outcomes` has for each what `POST /receipts` would have answered. Sending the batch again is safe for each Receipt. Every read shows it as soon as this is answered.
        """
        return self._call(routes.report_receipts, {}, body=body, caller_request_id=caller_request_id)

    def reverse_receipt(
        self,
        receipt_reference: str,
        body: shapes.ReversalAct,
        *,
        caller_request_id: str | None = None,
    ) -> shapes.Receipt:
        """
        Reverse a Receipt: `POST /v1/tenants/{tenant_id}/receipts/{receipt_reference}/reversal`

        Records that the money was returned. Its allocation is undone as if the money had never arrived. A reversal is accepted in every state of a Loan. Every read shows it as soon as this is answered.
        """
        return self._call(routes.reverse_receipt, {"receipt_reference": receipt_reference}, body=body, caller_request_id=caller_request_id)

    def read_receipt(
        self,
        receipt_reference: str,
        *,
        caller_request_id: str | None = None,
    ) -> shapes.Receipt:
        """
        Read a Receipt: `GET /v1/tenants/{tenant_id}/receipts/{receipt_reference}`

        Reads the book of the Receipt's Client: every fact recorded about the Client. How the money of the Receipt is allocated, by all recorded facts. Read your write: yes.
        """
        return self._call(routes.read_receipt, {"receipt_reference": receipt_reference}, caller_request_id=caller_request_id)

    def read_receipt_evidence(
        self,
        receipt_reference: str,
        *,
        caller_request_id: str | None = None,
    ) -> shapes.ReceiptEvidence:
        """
        Prove the facts of a Receipt: `GET /v1/tenants/{tenant_id}/receipts/{receipt_reference}/evidence`

        Reads the book of the Receipt's Client: every fact recorded about the Client. Each fact comes with the signed submission that caused it. Read your write: yes.
        """
        return self._call(routes.read_receipt_evidence, {"receipt_reference": receipt_reference}, caller_request_id=caller_request_id)

    def create_configuration(
        self,
        body: shapes.ConfigurationToCreate,
        *,
        idempotency_key: str | None = None,
        caller_request_id: str | None = None,
    ) -> shapes.ProductConfiguration:
        """
        Create a configuration: `POST /v1/tenants/{tenant_id}/product-configurations`

        Records a configuration at version 1. With an `Idempotency-Key`, identical requests get the first outcome for 24 hours; without one, every request records a new one. Every read shows it as soon as this is answered.
        """
        return self._call(routes.create_configuration, {}, body=body, idempotency_key=idempotency_key, caller_request_id=caller_request_id)

    def list_configurations(
        self,
        *,
        limit: int | None = None,
        caller_request_id: str | None = None,
    ) -> Listing[shapes.ConfigurationPage, shapes.ProductConfiguration]:
        """
        List the configurations: `GET /v1/tenants/{tenant_id}/product-configurations`

        Reads the Tenancy's own book: every fact recorded about its products. Read your write: yes.
        """
        return self._list(routes.list_configurations, {"limit": limit}, caller_request_id=caller_request_id)

    def preview_configuration(
        self,
        body: shapes.ConfigurationToCreate,
        *,
        caller_request_id: str | None = None,
    ) -> shapes.ConfigurationPreview:
        """
        Preview a configuration: `POST /v1/tenants/{tenant_id}/product-configurations/preview`

        Runs every check of creation in the same order and records nothing. Read your write: yes.
        """
        return self._call(routes.preview_configuration, {}, body=body, caller_request_id=caller_request_id)

    def read_configuration(
        self,
        configuration_id: str,
        *,
        caller_request_id: str | None = None,
    ) -> shapes.ProductConfiguration:
        """
        Read a configuration at its latest version: `GET /v1/tenants/{tenant_id}/product-configurations/{configuration_id}`

        Reads the Tenancy's own book: every fact recorded about its products. Read your write: yes.
        """
        return self._call(routes.read_configuration, {"configuration_id": configuration_id}, caller_request_id=caller_request_id)

    def list_configuration_versions(
        self,
        configuration_id: str,
        *,
        limit: int | None = None,
        caller_request_id: str | None = None,
    ) -> Listing[shapes.ConfigurationVersionPage, shapes.ProductConfiguration]:
        """
        List the versions of a configuration: `GET /v1/tenants/{tenant_id}/product-configurations/{configuration_id}/versions`

        Reads the Tenancy's own book: every fact recorded about its products. Read your write: yes.
        """
        return self._list(routes.list_configuration_versions, {"configuration_id": configuration_id, "limit": limit}, caller_request_id=caller_request_id)

    def write_configuration_version(
        self,
        configuration_id: str,
        body: shapes.WriteConfigurationVersionBody,
        *,
        idempotency_key: str | None = None,
        caller_request_id: str | None = None,
    ) -> shapes.ProductConfiguration:
        """
        Write a new version of a configuration: `POST /v1/tenants/{tenant_id}/product-configurations/{configuration_id}/versions`

        Records all values as the next version. Issued Loans do not change. With an `Idempotency-Key`, identical requests get the first outcome for 24 hours; without one, every request records a new one. Every read shows it as soon as this is answered.
        """
        return self._call(routes.write_configuration_version, {"configuration_id": configuration_id}, body=body, idempotency_key=idempotency_key, caller_request_id=caller_request_id)

    def read_configuration_version(
        self,
        configuration_id: str,
        configuration_version: int,
        *,
        caller_request_id: str | None = None,
    ) -> shapes.ProductConfiguration:
        """
        Read one version of a configuration: `GET /v1/tenants/{tenant_id}/product-configurations/{configuration_id}/versions/{configuration_version}`

        Reads the Tenancy's own book: every fact recorded about its products. Read your write: yes.
        """
        return self._call(routes.read_configuration_version, {"configuration_id": configuration_id, "configuration_version": configuration_version}, caller_request_id=caller_request_id)

    def adopt_policy(
        self,
        configuration_id: str,
        body: shapes.PolicyAdoptionAct,
        *,
        caller_request_id: str | None = None,
    ) -> shapes.PolicyAdoption:
        """
        Adopt a policy for a configuration: `PUT /v1/tenants/{tenant_id}/product-configurations/{configuration_id}/policy`

        Records which published policy version decides for all versions of the configuration from the next Decision on. Every read shows it as soon as this is answered.
        """
        return self._call(routes.adopt_policy, {"configuration_id": configuration_id}, body=body, caller_request_id=caller_request_id)

    def read_adopted_policy(
        self,
        configuration_id: str,
        *,
        caller_request_id: str | None = None,
    ) -> shapes.PolicyAdoption:
        """
        Read which policy a configuration has adopted: `GET /v1/tenants/{tenant_id}/product-configurations/{configuration_id}/policy`

        Reads the Tenancy's own book: every fact recorded about its products. `not_found` where no policy was adopted. Read your write: yes.
        """
        return self._call(routes.read_adopted_policy, {"configuration_id": configuration_id}, caller_request_id=caller_request_id)

    def rehearse(
        self,
        configuration_id: str,
        body: shapes.RehearseBody,
        *,
        caller_request_id: str | None = None,
    ) -> Listing[shapes.Rehearsal, shapes.RehearsalLoans]:
        """
        Rehearse other values of a product: `POST /v1/tenants/{tenant_id}/product-configurations/{configuration_id}/rehearsal`

        Reads the books of the Clients that hold Loans of the product, computes them with the other values and lists what would change. A page with long books may end before its limit; `examined` is the number of Loans examined. If the book of a Client cannot be computed, its Loans are listed without changes, with `book_not_derivable` in their `anomalies`; if it is too large for one request, with `book_too_large`. Records nothing. Read your write: yes.
        """
        return self._list(routes.rehearse, {"configuration_id": configuration_id}, body={**body}, caller_request_id=caller_request_id)

    def list_lookup_keys(
        self,
        *,
        lookup_key: Sequence[str] | None = None,
        caller_request_id: str | None = None,
    ) -> shapes.LookupKeyList:
        """
        List the lookup keys: `GET /v1/tenants/{tenant_id}/product-lookup-keys`

        Reads the Tenancy's own book: every fact recorded about its products. Read your write: yes.
        """
        return self._call(routes.list_lookup_keys, {"lookup_key": lookup_key}, caller_request_id=caller_request_id)

    def read_lookup_key(
        self,
        lookup_key: str,
        *,
        caller_request_id: str | None = None,
    ) -> shapes.LookupKey:
        """
        Read a lookup key: `GET /v1/tenants/{tenant_id}/product-lookup-keys/{lookup_key}`

        Reads the Tenancy's own book: every fact recorded about its products. Read your write: yes.
        """
        return self._call(routes.read_lookup_key, {"lookup_key": lookup_key}, caller_request_id=caller_request_id)

    def point_lookup_key(
        self,
        lookup_key: str,
        body: shapes.LookupKeyPointing,
        *,
        caller_request_id: str | None = None,
    ) -> shapes.LookupKey:
        """
        Point a lookup key at a version: `PUT /v1/tenants/{tenant_id}/product-lookup-keys/{lookup_key}`

        Records which version the key names: 201 if the key is new, 200 if it names that version already or was moved by `transfer`. Agents cannot do this on a live Tenancy. Every read shows it as soon as this is answered.
        """
        return self._call(routes.point_lookup_key, {"lookup_key": lookup_key}, body=body, caller_request_id=caller_request_id)

    def remove_lookup_key(
        self,
        lookup_key: str,
        *,
        caller_request_id: str | None = None,
    ) -> shapes.LookupKey:
        """
        Remove a lookup key: `DELETE /v1/tenants/{tenant_id}/product-lookup-keys/{lookup_key}`

        Records the removal and answers the key as it was. Agents cannot do this on a live Tenancy. Every read shows it as soon as this is answered.
        """
        return self._call(routes.remove_lookup_key, {"lookup_key": lookup_key}, caller_request_id=caller_request_id)

    def list_policies(
        self,
        *,
        limit: int | None = None,
        caller_request_id: str | None = None,
    ) -> Listing[shapes.PolicyPage, shapes.PolicyPagePolicies]:
        """
        List the policies: `GET /v1/tenants/{tenant_id}/credit-policies`

        Reads the Tenancy's own book: all drafted policy versions, and which of them were published. Read your write: yes.
        """
        return self._list(routes.list_policies, {"limit": limit}, caller_request_id=caller_request_id)

    def read_policy(
        self,
        policy: str,
        *,
        limit: int | None = None,
        caller_request_id: str | None = None,
    ) -> Listing[shapes.Policy, shapes.PolicyVersion]:
        """
        Read a policy and its versions: `GET /v1/tenants/{tenant_id}/credit-policies/{policy}`

        Reads the Tenancy's own book: all drafted policy versions, and which of them were published. Read your write: yes.
        """
        return self._list(routes.read_policy, {"policy": policy, "limit": limit}, caller_request_id=caller_request_id)

    def read_policy_version(
        self,
        policy: str,
        policy_version: int,
        *,
        caller_request_id: str | None = None,
    ) -> shapes.PolicyVersionWhole:
        """
        Read a policy version: `GET /v1/tenants/{tenant_id}/credit-policies/{policy}/versions/{policy_version}`

        Reads the Tenancy's own book: all drafted policy versions, and which of them were published. Read your write: yes.
        """
        return self._call(routes.read_policy_version, {"policy": policy, "policy_version": policy_version}, caller_request_id=caller_request_id)

    def validate_policy(
        self,
        policy: str,
        body: shapes.ValidatePolicyBody,
        *,
        caller_request_id: str | None = None,
    ) -> shapes.PolicyValidation:
        """
        Validate the content of a policy: `POST /v1/tenants/{tenant_id}/credit-policies/{policy}/validate`

        Records nothing. Content that passes is not refused at drafting or publication. Read your write: yes.
        """
        return self._call(routes.validate_policy, {"policy": policy}, body=body, caller_request_id=caller_request_id)

    def draft_policy_version(
        self,
        policy: str,
        body: shapes.DraftPolicyVersionBody,
        *,
        caller_request_id: str | None = None,
    ) -> shapes.PolicyVersion:
        """
        Draft a policy version: `POST /v1/tenants/{tenant_id}/credit-policies/{policy}/versions`

        Records the content under the next version number. A draft never changes. Every read shows it as soon as this is answered.
        """
        return self._call(routes.draft_policy_version, {"policy": policy}, body=body, caller_request_id=caller_request_id)

    def publish_policy_version(
        self,
        policy: str,
        policy_version: int,
        body: shapes.PublicationAct,
        *,
        caller_request_id: str | None = None,
    ) -> shapes.PolicyVersion:
        """
        Publish a policy version: `POST /v1/tenants/{tenant_id}/credit-policies/{policy}/versions/{policy_version}/publication`

        Records who published the version. `self_confirmed` is true if the same actor drafted it. Every read shows it as soon as this is answered.
        """
        return self._call(routes.publish_policy_version, {"policy": policy, "policy_version": policy_version}, body=body, caller_request_id=caller_request_id)

    def decide(
        self,
        body: shapes.Application,
        *,
        caller_request_id: str | None = None,
    ) -> shapes.Decision:
        """
        Decide an application: `POST /v1/tenants/{tenant_id}/credit-decisions`

        Decides by the policy version adopted for the configuration, or in a trial by the named one, and records the Decision with its trace. Every read shows it as soon as this is answered.
        """
        return self._call(routes.decide, {}, body=body, caller_request_id=caller_request_id)

    def list_decisions(
        self,
        *,
        client: str | None = None,
        limit: int | None = None,
        caller_request_id: str | None = None,
    ) -> Listing[shapes.DecisionPage, shapes.Decision]:
        """
        List the Decisions: `GET /v1/tenants/{tenant_id}/credit-decisions`

        Reads the Decisions of the Tenancy, or of one Client. Decisions with an outcome that is newer than the requested version are left out, so a page may be short or empty and still have a `cursor`. Read your write: yes.
        """
        return self._list(routes.list_decisions, {"client": client, "limit": limit}, caller_request_id=caller_request_id)

    def read_decision(
        self,
        decision_id: str,
        *,
        caller_request_id: str | None = None,
    ) -> shapes.Decision:
        """
        Read a Decision: `GET /v1/tenants/{tenant_id}/credit-decisions/{decision_id}`

        Reads the book of the Client: every fact recorded about the Client. The Decision as it was recorded. Read your write: yes.
        """
        return self._call(routes.read_decision, {"decision_id": decision_id}, caller_request_id=caller_request_id)

    def resolve_decision(
        self,
        decision_id: str,
        body: shapes.ResolutionAct,
        *,
        caller_request_id: str | None = None,
    ) -> shapes.Resolution:
        """
        Resolve a referred Decision: `POST /v1/tenants/{tenant_id}/credit-decisions/{decision_id}/resolution`

        Records what a person decided on a referred Decision. A Decision is resolved once. Every read shows it as soon as this is answered.
        """
        return self._call(routes.resolve_decision, {"decision_id": decision_id}, body=body, caller_request_id=caller_request_id)

    def read_resolution(
        self,
        decision_id: str,
        *,
        caller_request_id: str | None = None,
    ) -> shapes.Resolution:
        """
        Read the resolution of a Decision: `GET /v1/tenants/{tenant_id}/credit-decisions/{decision_id}/resolution`

        Reads the book of the Client: every fact recorded about the Client. Read your write: yes.
        """
        return self._call(routes.read_resolution, {"decision_id": decision_id}, caller_request_id=caller_request_id)

    def read_bar(
        self,
        client_id: str,
        *,
        on: str | date,
        known_at: str | None = None,
        caller_request_id: str | None = None,
    ) -> shapes.Bar:
        """
        Read whether a Client is barred on a day: `GET /v1/tenants/{tenant_id}/credit-bar/{client_id}`

        Reads the book of the Client: every fact recorded about the Client. A Client that is not registered is not barred. Read your write: yes.
        """
        return self._call(routes.read_bar, {"client_id": client_id, "on": on, "known_at": known_at}, caller_request_id=caller_request_id)

    def open_facility(
        self,
        body: shapes.FacilityToOpen,
        *,
        caller_request_id: str | None = None,
    ) -> shapes.Facility:
        """
        Open a facility: `POST /v1/tenants/{tenant_id}/facilities`

        Records how much may be lent to the Client under an approving Decision, and when. Every read shows it as soon as this is answered.
        """
        return self._call(routes.open_facility, {}, body=body, caller_request_id=caller_request_id)

    def list_facilities(
        self,
        *,
        client: str | None = None,
        caller_request_id: str | None = None,
    ) -> shapes.FacilityList:
        """
        List the facilities: `GET /v1/tenants/{tenant_id}/facilities`

        Reads the facilities of the Tenancy, or of one Client. Read your write: yes.
        """
        return self._call(routes.list_facilities, {"client": client}, caller_request_id=caller_request_id)

    def read_facility(
        self,
        facility_id: str,
        *,
        caller_request_id: str | None = None,
    ) -> shapes.FacilityDrawn:
        """
        Read a facility with what is drawn of it: `GET /v1/tenants/{tenant_id}/facilities/{facility_id}`

        Reads the book of the Client: every fact recorded about the Client. Read your write: yes.
        """
        return self._call(routes.read_facility, {"facility_id": facility_id}, caller_request_id=caller_request_id)

    def read_dues(
        self,
        *,
        on: str | date,
        only: str | None = None,
        min_days_past_due: int | None = None,
        limit: int | None = None,
        caller_request_id: str | None = None,
    ) -> Listing[shapes.DuesPage, shapes.ClientDues]:
        """
        List the Clients that owe something on a day: `GET /v1/tenants/{tenant_id}/dues`

        Reads the books of the Clients that may have something due on the day, found by an index that is updated with every fact. At most twice `limit` Clients are examined for a page. A Client whose book cannot be computed is listed without figures, whatever the filters, with `book_not_derivable` in its `anomalies`, and is not included in totals. Read your write: yes.
        """
        return self._list(routes.read_dues, {"on": on, "only": only, "min_days_past_due": min_days_past_due, "limit": limit}, caller_request_id=caller_request_id)

    def read_bounds(
        self,
        *,
        caller_request_id: str | None = None,
    ) -> shapes.Bounds:
        """
        Read the bounds of the Tenancy: `GET /v1/tenants/{tenant_id}/bounds`

        Reads the bounds that the answering instance applies. A change takes effect within a second. Read your write: yes.
        """
        return self._call(routes.read_bounds, {}, caller_request_id=caller_request_id)

    def list_requests(
        self,
        *,
        request_id: str | None = None,
        caller_request_id: str | None = None,
        day: str | date | None = None,
        fp: str | None = None,
        method: str | None = None,
        route: str | None = None,
        target: str | None = None,
        status: int | None = None,
        code: str | None = None,
        limit: int | None = None,
    ) -> Listing[shapes.LoggedRequestPage, shapes.LoggedRequest]:
        """
        Search the requests of the Tenancy: `GET /v1/tenants/{tenant_id}/requests`

        Lists the answered requests of the Tenancy whose signature was verified, reads and refused ones too, without their bodies, for thirty days. A request appears within seconds of its answer, a stream after its end. Under overload or a failure of the database requests may be missing. `day` is a day in UTC. Read your write: yes.
        """
        return self._list(routes.list_requests, {"request_id": request_id, "caller_request_id": caller_request_id, "day": day, "fp": fp, "method": method, "route": route, "target": target, "status": status, "code": code, "limit": limit})

    def read_market(
        self,
        jurisdiction: str,
        *,
        caller_request_id: str | None = None,
    ) -> shapes.Market:
        """
        Read a market's rules: `GET /v1/tenants/{tenant_id}/markets/{jurisdiction}`

        Reads the market's law as this release has it. It does not depend on recorded facts. Read your write: yes.
        """
        return self._call(routes.read_market, {"jurisdiction": jurisdiction}, caller_request_id=caller_request_id)

    def put_company_profile(
        self,
        body: shapes.CompanyProfileToPut,
        *,
        caller_request_id: str | None = None,
    ) -> shapes.CompanyProfile:
        """
        Put the company profile: `PUT /v1/tenants/{tenant_id}/company-profile`

        Records the profile and replaces the previous one. Every read shows it as soon as this is answered.
        """
        return self._call(routes.put_company_profile, {}, body=body, caller_request_id=caller_request_id)

    def read_company_profile(
        self,
        *,
        caller_request_id: str | None = None,
    ) -> shapes.CompanyProfile:
        """
        Read the company profile: `GET /v1/tenants/{tenant_id}/company-profile`

        Reads the Tenancy's own book. Read your write: yes.
        """
        return self._call(routes.read_company_profile, {}, caller_request_id=caller_request_id)

    def read_liveness(
        self,
        *,
        caller_request_id: str | None = None,
    ) -> shapes.ReadLivenessAnswer:
        """
        Check that the process is alive: `GET /livez`

        No credential is needed.
        """
        return self._call(routes.read_liveness, {}, caller_request_id=caller_request_id)

    def read_readiness(
        self,
        *,
        caller_request_id: str | None = None,
    ) -> shapes.Readiness:
        """
        Check that the process can serve requests: `GET /readyz`

        503 lists what is not ready. `degraded` lists what does not answer and is not needed to serve requests. No credential is needed.
        """
        return self._call(routes.read_readiness, {}, caller_request_id=caller_request_id)

    def read_open_api(
        self,
        *,
        caller_request_id: str | None = None,
    ) -> dict[str, object]:
        """
        This document: `GET /v1/openapi.json`

        No credential is needed.
        """
        return self._call(routes.read_open_api, {}, caller_request_id=caller_request_id)

    def read_docs(
        self,
        *,
        caller_request_id: str | None = None,
    ) -> str:
        """
        The documentation: `GET /docs`

        Guides, the reference and every error. Its pages and what they load have paths below this one. No credential is needed.
        """
        return self._call(routes.read_docs, {}, caller_request_id=caller_request_id)

    def read_changelog(
        self,
        *,
        caller_request_id: str | None = None,
    ) -> str:
        """
        Changes and deprecations of the contract: `GET /changelog`

        No credential is needed.
        """
        return self._call(routes.read_changelog, {}, caller_request_id=caller_request_id)
