/** The rules behind a figure: each with its parameters, their values, and where each value comes from. */
import { DAY_COUNT_BASES, penaltyYear } from '#libs/calendar/day-count.ts';
import type {
  EffectiveValues,
  LoanExplanation,
  Market,
  MarketSource,
  Money,
  ProductConfiguration,
} from '#libs/sdk/src/contract/shapes.ts';
import { formatMoney } from '../amounts.ts';
import type { Visit } from '../console-context.ts';
import { type Content, type Html, html } from '../html.ts';
import { table } from '../table.ts';
import { tenancyPath } from '../tenancy-path.ts';
import { wordFor } from '../terms.ts';

/** What the API states about a Loan; the product version and the market where they can be read. */
export interface RuleSources {
  readonly explained: LoanExplanation;
  readonly configuration: ProductConfiguration | undefined;
  readonly market: Market | undefined;
}

export type Rule = 'principal' | 'interest' | 'fee' | 'penalty' | 'late_fee' | 'tax' | 'order';

interface Parameter {
  readonly name: string;
  readonly value: Content;
  readonly source: Content;
}

export function ruleSection(visit: Visit, sources: RuleSources, rules: readonly Rule[]): Html {
  const { explanation: words } = visit.texts;
  const parametersOf = new Parameters(visit, sources);
  return html`<section>
    <h2>${words.rules}</h2>
    ${rules.map((rule) => {
      const title = words.ruleTitle(rule === 'tax' || rule === 'order' ? words[rule] : words.charges[rule]);
      return html`<article class="rule">
        <h3>${title}</h3>
        <p>${words.chargeRules[rule]}</p>
        ${parameterTable(visit, title, parametersOf[rule]())}
      </article>`;
    })}
  </section>`;
}

function parameterTable({ texts }: Visit, title: string, parameters: readonly (Parameter | undefined)[]): Html {
  const words = texts.explanation;
  return table<Parameter>(
    `${words.rules}: ${title}`,
    [
      { title: words.parameter, cell: ({ name }) => name },
      { title: words.value, cell: ({ value }) => value },
      { title: words.source, cell: ({ source }) => source },
    ],
    parameters.filter((parameter) => parameter !== undefined),
  );
}

/** By rule. A parameter that the Loan does not have is undefined. */
class Parameters implements Readonly<Record<Rule, () => readonly (Parameter | undefined)[]>> {
  readonly #visit: Visit;
  readonly #sources: RuleSources;

  constructor(visit: Visit, sources: RuleSources) {
    this.#visit = visit;
    this.#sources = sources;
  }

  principal() {
    const { terms, periods } = this.#loan;
    const { schedule } = this.#sources.explained;
    return [
      this.#fromTerms('principal', this.#money(terms.principal)),
      this.#fromTerms('term_periods', periods.length),
      this.#fromProduct('amortisation', 'amortisation'),
      this.#parameter('level', this.#money(schedule.level), this.#words.sources.plan),
    ];
  }

  interest() {
    const rates = [...new Set(this.#sources.explained.periods.map(({ interest }) => interest.rate))];
    const { terms } = this.#loan;
    return [
      ...rates.map((rate) => this.#rate('rate', rate, isSameRate(rate, terms.rate))),
      this.#fromProduct('day_count', 'day_count_basis'),
    ];
  }

  fee() {
    const fee = this.#effective?.origination_fee;
    const rollover = this.#effective?.rollover_fee;
    return [
      fee?.value && this.#parameter('origination_fee', this.#money(fee.value), this.#product(fee.source)),
      rollover?.value && this.#parameter('rollover_fee', this.#money(rollover.value), this.#product(rollover.source)),
    ];
  }

  penalty() {
    const { regime } = this.#loan;
    const inForce = this.#sources.explained.periods.flatMap(({ penalty }) =>
      penalty === undefined ? [] : [penalty.rate],
    );
    const rates = inForce.length === 0 ? [regime.penalty_rate] : [...new Set(inForce)];
    const { market } = this.#sources;
    return [
      ...rates.map((rate) => this.#rate('penalty_rate', rate, isSameRate(rate, regime.penalty_rate))),
      this.#fromRegime('penalty_base', this.#word(regime.penalty_base), market?.penalty_base),
      this.#penaltyDay(),
      ...this.#lateness(),
      this.#fromRegime('penalty_ceiling_days', regime.penalty_ceiling_days, market?.penalty_ceiling_days),
      this.#fromRegime('penalty_ceiling_bps', regime.penalty_ceiling_bps, market?.penalty_ceiling_bps),
    ];
  }

  late_fee() {
    const { late_fee: fee } = this.#loan.regime;
    const source = this.#product(this.#effective?.late_fee.source);
    return [this.#parameter('late_fee', this.#money(fee), source), ...this.#lateness()];
  }

  tax() {
    const { tax } = this.#loan.terms;
    const { charges, perCent } = this.#words;
    const market = this.#sources.market?.tax;
    const source = [this.#words.sources.terms, market && html`<br />${this.#market(market)}`];
    return [
      this.#parameter('tax_rate', perCent(tax.rate), source),
      this.#parameter('taxed', tax.on.map((charge) => wordFor(charges, charge)).join(', ') || '–', source),
    ];
  }

  order() {
    const order = this.#effective?.charge_order;
    const { charges } = this.#words;
    const { treatment } = this.#sources.explained.payment_options.any_other_amount;
    return [
      order?.value &&
        this.#parameter(
          'charge_order',
          order.value.map((charge) => wordFor(charges, charge)).join(' → '),
          this.#product(order.source),
        ),
      this.#parameter(
        'early_money',
        this.#word(treatment),
        this.#product(this.#effective?.early_money_treatment.source),
      ),
    ];
  }

  #lateness() {
    const { regime } = this.#loan;
    const effective = this.#effective;
    return [
      this.#parameter('tolerance_days', regime.tolerance_days, this.#product(effective?.tolerance_days.source)),
      regime.tolerance &&
        this.#parameter('tolerance', this.#money(regime.tolerance), this.#product(effective?.tolerance.source)),
    ];
  }

  get #loan() {
    return this.#sources.explained.loan;
  }

  get #words() {
    return this.#visit.texts.explanation;
  }

  get #effective(): EffectiveValues | undefined {
    return this.#sources.configuration?.effective;
  }

  #money(amount: Money): string {
    return formatMoney(this.#visit.texts, amount);
  }

  #word(value: string): string {
    return wordFor(this.#words.values, value);
  }

  #parameter(name: keyof Visit['texts']['explanation']['parameters'], value: Content, source: Content): Parameter {
    return { name: this.#words.parameters[name], value, source };
  }

  #fromTerms(name: keyof Visit['texts']['explanation']['parameters'], value: Content): Parameter {
    return this.#parameter(name, value, this.#words.sources.terms);
  }

  #rate(name: 'rate' | 'penalty_rate', rate: string, isAsIssued: boolean): Parameter {
    const { terms, restructure } = this.#words.sources;
    return this.#parameter(name, this.#words.perCent(rate), isAsIssued ? terms : restructure);
  }

  #fromProduct(name: 'amortisation' | 'day_count', field: 'amortisation' | 'day_count_basis'): Parameter | undefined {
    const effective = this.#effective?.[field];
    if (effective?.value === undefined) return undefined;
    return this.#parameter(name, this.#word(effective.value), this.#product(effective.source));
  }

  /** Frozen at issuance: what the product states, else the law of the market. */
  #fromRegime(
    name: 'penalty_base' | 'penalty_ceiling_days' | 'penalty_ceiling_bps',
    value: Content,
    market: MarketSource | undefined,
  ): Parameter | undefined {
    if (value === undefined) return undefined;
    const effective = this.#effective?.[name];
    const isStated = effective?.source === 'stated' && effective.value === this.#loan.regime[name];
    return this.#parameter(
      name,
      value,
      isStated || market === undefined ? this.#product(effective?.source) : this.#market(market),
    );
  }

  #penaltyDay(): Parameter | undefined {
    const stated = this.#effective?.day_count_basis.value;
    const basis = DAY_COUNT_BASES.find((each) => each === stated);
    if (basis === undefined) return undefined;
    const days = penaltyYear(basis);
    return this.#parameter('penalty_day', this.#words.partOfYear(String(days)), this.#words.sources.derived);
  }

  #product(source: string | undefined): Content {
    const { id, version } = this.#loan.configuration;
    const { sources } = this.#words;
    const text = source === 'default' ? sources.productDefault(version) : sources.product(version);
    const href = tenancyPath(this.#visit.tenantId ?? '', ['products', id], { version });
    return html`${text} · <a href=${href}>${id}</a>`;
  }

  #market({ source, provisional }: MarketSource): Content {
    const { sources } = this.#words;
    const title = sources.market(this.#loan.terms.jurisdiction);
    return html`${title}: ${source}${provisional && html` <em>(${sources.provisional})</em>`}`;
  }
}

/** Terms are as they were stated; derived rates have no trailing zeros. */
function isSameRate(one: string, other: string): boolean {
  return Number(one) === Number(other);
}
