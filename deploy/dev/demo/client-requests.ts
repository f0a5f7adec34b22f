/** The requests that record what happened to one Client. Days are counted from the day of the first start. */
import { addDays, addMonths, type CivilDay, formatDay } from '#libs/calendar/civil-day.ts';
import type { Random } from '#libs/runtime/random.ts';
import { cities, type DemoPerson, staff } from './people.ts';
import { type Applicant, applicants } from './policies.ts';
import type { DemoProduct } from './products.ts';
import { type EventOf, type FromAnswer, fromAnswer, type Money, pesos, type Step, type StepValue } from './step.ts';

type Members = { readonly [member: string]: StepValue };
type Amount = Money | FromAnswer;

export interface IssuedLoan {
  /** The name of the step that issues it. */
  readonly name: string;
  readonly id: FromAnswer;
  readonly anchor: CivilDay;
  readonly product: DemoProduct;
}

export interface DemoLoanTerms {
  readonly principal: Money;
  readonly periods: number;
  readonly rate: string;
  readonly anchor: CivilDay;
  readonly more?: Members;
}

/** What is stated of a Receipt beside its amount and its day. */
export interface ReceiptOptions {
  readonly more?: Members;
}

const rails = ['bank_transfer', 'bank_transfer', 'bank_transfer', 'card', 'cash', 'direct_debit', 'wallet'];

export class ClientRequests {
  readonly steps: Step[] = [];
  readonly random: Random;
  readonly #today: CivilDay;
  readonly #person: DemoPerson;
  readonly #counts = new Map<string, number>();

  constructor(person: DemoPerson, today: CivilDay, random: Random) {
    this.#person = person;
    this.#today = today;
    this.random = random;
    this.#add(`demo-${person.clientId}`, 'registerClient', {
      at: { client_id: person.clientId },
      body: {
        actor: staff.branch,
        basis: 'Signed the contract at the branch.',
        context: { name: person.name, city: random.pick(cities) },
      },
    });
  }

  /** The day so many days after today; before it where the count is negative. */
  day(offset: number): CivilDay {
    return addDays(this.#today, offset);
  }

  /** The anchor of a Loan of which so many periods have passed before the one that ends in so many days. */
  anchor(
    { intervalDays }: DemoProduct,
    { passed, nextInDays }: { readonly passed: number; readonly nextInDays: number },
  ) {
    const end = this.day(nextInDays);
    return intervalDays === undefined ? addMonths(end, -(passed + 1)) : addDays(end, -(passed + 1) * intervalDays);
  }

  issue(product: DemoProduct, { principal, periods, rate, anchor, more = {} }: DemoLoanTerms): IssuedLoan {
    const name = this.#reference('loan');
    this.#add(name, 'issueLoan', {
      body: {
        reference: name,
        client_id: this.#person.clientId,
        configuration_id: fromAnswer(product.configuration, 'id'),
        configuration_version: product.version,
        principal,
        term_periods: periods,
        rate,
        anchor: formatDay(anchor),
        jurisdiction: 'MX',
        tax: product.tax,
        ...more,
      },
    });
    return { name, id: fromAnswer(name, 'id'), anchor, product };
  }

  /** Issuance under a facility, which sets the rate. */
  draw(facility: FromAnswer, product: DemoProduct, terms: Omit<DemoLoanTerms, 'rate'>): IssuedLoan {
    const loan = this.issue(product, { ...terms, rate: '', more: { ...terms.more, facility_id: facility } });
    const last = this.steps.pop() as Step;
    const { rate: _, ...body } = last.body;
    this.steps.push({ ...last, body });
    return loan;
  }

  /** Returns the reference of the act. */
  act(loan: IssuedLoan, route: Step['route'], on: CivilDay, basis: string, stated: Members = {}): string {
    const name = this.#reference('act');
    const account = { reference: name, actor: staff.collections, basis };
    this.#add(name, route, { at: { loan_id: loan.id }, body: { on: formatDay(on), ...stated, ...account } });
    return name;
  }

  retract(loan: IssuedLoan, act: string, on: CivilDay, basis: string): void {
    const event: EventOf = { eventOf: act };
    this.act(loan, 'retractFact', on, basis, { event_id: event });
  }

  receive(amount: Amount, valueDate: CivilDay | FromAnswer, { more = {} }: ReceiptOptions = {}): string {
    const name = this.#reference('spei');
    const rail = this.random.pick(rails);
    const provider = { provider_reference: `${rail.slice(0, 2).toUpperCase()}${this.random.integer(1e8, 1e9 - 1)}` };
    this.#add(name, 'reportReceipt', {
      body: {
        reference: name,
        client_id: this.#person.clientId,
        amount,
        value_date: typeof valueDate === 'number' ? formatDay(valueDate) : valueDate,
        rail,
        ...(rail === 'cash' ? {} : provider),
        ...more,
      },
    });
    return name;
  }

  /** The payment of a period as issued, on its due day. */
  payPeriod(loan: IssuedLoan, period: number, options: ReceiptOptions = {}): string {
    return this.receive(this.payment(loan, period), this.dueDay(loan, period), options);
  }

  payPeriods(loan: IssuedLoan, count: number, options: ReceiptOptions = {}): void {
    for (let period = 1; period <= count; period += 1) this.payPeriod(loan, period, options);
  }

  /** The payment of a period as issued, with so many minor units added. */
  payment(loan: IssuedLoan, period: number, plus = 0): FromAnswer {
    const payment = fromAnswer(loan.name, 'periods', period - 1, 'payment');
    return plus === 0 ? payment : { ...payment, plus };
  }

  dueDay({ name }: IssuedLoan, period: number): FromAnswer {
    return fromAnswer(name, 'periods', period - 1, 'due_on');
  }

  /** A quote, and the Receipt that discharges the Loan on that day. */
  payOff(loan: IssuedLoan, on: CivilDay): void {
    const quote = this.act(loan, 'quotePayoff', on, 'The borrower asked for the amount to close the loan.');
    this.receive(fromAnswer(quote, 'owed', 'total'), on, {
      more: { designated_loan_id: loan.id, payoff_intent: true, quote_id: fromAnswer(quote, 'id') },
    });
  }

  reverse(receipt: string, reason: string, basis: string): void {
    const name = this.#reference('act');
    const account = { reference: name, actor: staff.treasury, basis };
    this.#add(name, 'reverseReceipt', { at: { receipt_reference: receipt }, body: { reason, ...account } });
  }

  /** Returns the id of the Decision. */
  apply(product: DemoProduct, applicant: Applicant, submittedOn: CivilDay, more: Members = {}): FromAnswer {
    const name = this.#reference('application');
    this.#add(name, 'decide', { body: this.#application(name, { product, applicant, submittedOn, more }) });
    return fromAnswer(name, 'id');
  }

  /** An application of a Client who is barred. */
  applyInVain(product: DemoProduct, applicant: Applicant, submittedOn: CivilDay): void {
    const name = this.#reference('application');
    const body = this.#application(name, { product, applicant, submittedOn, more: {} });
    this.#add(name, 'decide', { body, refusedWith: 'client_barred' });
  }

  resolve(decision: FromAnswer, stated: Members): void {
    const name = this.#reference('resolution');
    const account = { reference: name, actor: staff.headOfRisk, basis: 'Read the bureau report and the payslips.' };
    this.#add(name, 'resolveDecision', { at: { decision_id: decision }, body: { ...stated, ...account } });
  }

  openFacility(decision: FromAnswer, amount: Money, stated: Members = {}): FromAnswer {
    const name = this.#reference('facility');
    this.#add(name, 'openFacility', {
      body: {
        reference: name,
        client_id: this.#person.clientId,
        decision_id: decision,
        amount,
        opens_on: formatDay(this.day(-120)),
        expires_on: formatDay(this.day(245)),
        ...stated,
        actor: staff.risk,
        basis: 'Granted on the decision.',
      },
    });
    return fromAnswer(name, 'id');
  }

  #application(
    reference: string,
    stated: {
      readonly product: DemoProduct;
      readonly applicant: Applicant;
      readonly submittedOn: CivilDay;
      readonly more: Members;
    },
  ): Step['body'] {
    const { product, applicant, submittedOn, more } = stated;
    return {
      reference,
      client_id: this.#person.clientId,
      configuration_id: fromAnswer(product.configuration, 'id'),
      configuration_version: product.version,
      principal: pesos(12_000),
      submitted_on: formatDay(submittedOn),
      attributes: applicants[applicant],
      sources: ['bureau', 'payslip'],
      ...more,
      actor: staff.branch,
      basis: 'Application at the branch.',
    };
  }

  #reference(kind: string): string {
    const count = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, count);
    return `demo-${this.#person.clientId.split('-').at(-1)}-${kind}-${count}`;
  }

  #add(name: string, route: Step['route'], { at = {}, ...rest }: Partial<Step> & Pick<Step, 'body'>): void {
    this.steps.push({ name, route, at, ...rest });
  }
}
