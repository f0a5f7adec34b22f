/** The content of a policy version as rows: attributes, knockouts, scorecard, bands. */
import { quotedRate } from '#libs/credit/numbers.ts';
import type { PolicyContent } from '#libs/sdk/src/contract/shapes.ts';
import { formatMoney } from '../amounts.ts';
import type { Visit } from '../console-context.ts';
import { type ComparedRow, matchedRows, type Part } from '../side-by-side.ts';
import { choiceText } from './value-text.ts';

interface ContentSection {
  readonly title: string;
  readonly rows: readonly ComparedRow[];
}

type Attribute = PolicyContent['attributes'][number];
type Knockout = PolicyContent['knockouts'][number];
type Characteristic = PolicyContent['scorecard'][number];
type Band = PolicyContent['bands'][number];

export function contentSections(
  { texts }: Visit,
  content: PolicyContent,
  other: PolicyContent | undefined,
): readonly ContentSection[] {
  const words = texts.products;
  const scalar = (title: string, textOf: (of: PolicyContent) => string): ComparedRow => ({
    title,
    left: [{ text: textOf(content) }],
    right: other && [{ text: textOf(other) }],
  });
  const idOf = ({ id }: { readonly id: string }): string => id;
  return [
    {
      title: words.knockouts,
      rows: matchedRows<Knockout>(content.knockouts, other?.knockouts, {
        nameOf: idOf,
        partsOf: (knockout) => knockoutParts(texts, knockout),
      }),
    },
    {
      title: words.scorecard,
      rows: [
        scalar(words.basePoints, ({ base_points }) => String(base_points)),
        ...matchedRows<Characteristic>(content.scorecard, other?.scorecard, {
          nameOf: idOf,
          partsOf: (characteristic) => characteristicParts(texts, characteristic),
        }),
      ],
    },
    {
      title: words.bands,
      rows: matchedRows<Band>(content.bands, other?.bands, { nameOf: idOf, partsOf: (band) => bandParts(texts, band) }),
    },
    {
      title: words.attributes,
      rows: [
        ...matchedRows<Attribute>(content.attributes, other?.attributes, {
          nameOf: ({ name }) => name,
          partsOf: ({ unit }) => [{ text: unit ?? words.noUnit }],
        }),
        scalar(words.timeZone, ({ time_zone }) => time_zone ?? words.timeZoneOfTenancy),
      ],
    },
  ];
}

type Texts = Visit['texts'];

function knockoutParts(texts: Texts, knockout: Knockout): readonly Part[] {
  const { products: words } = texts;
  const { text, attribute, comparison, bound, outcome, moratorium_days, when_unknown } = knockout;
  return [
    { text },
    { label: words.fires, text: `${attribute} ${choiceText(texts, comparison)} ${bound}` },
    { label: words.outcome, text: choiceText(texts, outcome) },
    { label: words.whenUnknown, text: choiceText(texts, when_unknown) },
    ...moratorium(texts, moratorium_days),
  ];
}

function characteristicParts(texts: Texts, { attribute, bins, when_unknown }: Characteristic): readonly Part[] {
  const { products: words } = texts;
  return [
    { label: words.attribute, text: attribute },
    ...bins.map(({ from, to, points }) => ({ label: rangeText(texts, from, to), text: words.points(points) })),
    { label: words.whenUnknown, text: words.points(when_unknown) },
  ];
}

function bandParts(texts: Texts, band: Band): readonly Part[] {
  const { products: words } = texts;
  const { from, to, outcome, rate, terms, principal_max, moratorium_days } = band;
  return [
    { label: words.score, text: rangeText(texts, from, to) },
    { label: words.outcome, text: choiceText(texts, outcome) },
    ...(rate === undefined ? [] : [{ label: words.rate, text: rateText(rate) }]),
    ...(terms === undefined ? [] : [{ label: words.fields.terms, text: terms.join(', ') }]),
    ...(principal_max === undefined
      ? []
      : [{ label: words.fields.principal_max, text: formatMoney(texts, principal_max) }]),
    ...moratorium(texts, moratorium_days),
  ];
}

/** In per cent where that is a decimal; a draft may have another rate. */
function rateText(rate: NonNullable<Band['rate']>): string {
  const { percent } = quotedRate(rate);
  return percent === undefined ? `${rate.numerator} / ${rate.denominator}` : `${percent} %`;
}

function moratorium({ products: words }: Texts, days: number | undefined): readonly Part[] {
  return days === undefined ? [] : [{ label: words.moratorium, text: words.days(days) }];
}

/** From inclusive, to exclusive. */
function rangeText({ products: words }: Texts, from: Bound | undefined, to: Bound | undefined): string {
  if (from === undefined) return to === undefined ? words.anyValue : words.below(String(to));
  return to === undefined ? words.from(String(from)) : words.fromTo(String(from), String(to));
}

type Bound = number | string;
