/** What axe finds on a page. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { projectDir } from '#deploy/dev/dev-files.ts';

const colourRules = ['color-contrast', 'link-in-text-block'] as const;

type AxeOptions = Parameters<AxeBuilder['options']>[0];

/** The script of axe. `AxeBuilder` would evaluate one of twice its size, and that twice in each run. */
const axeScript = readFileSync(join(projectDir, 'node_modules', 'axe-core', 'axe.min.js'), 'utf8');

/** By all rules that axe applies without being asked to, and by more. */
export async function findInaccessible(page: Page, moreRules: readonly string[] = []): Promise<readonly string[]> {
  const enabled = moreRules.map((rule) => [rule, { enabled: true }] as const);
  const otherwise = colourRules.map((rule) => [rule, { enabled: false }] as const);
  const found = await analyze(await axeOn(page), { rules: Object.fromEntries([...enabled, ...otherwise]) });
  return [...found, ...(await findWrongColours(page))];
}

export async function findByRules(page: Page, rules: readonly string[]): Promise<readonly string[]> {
  return analyze(await axeOn(page), { runOnly: { type: 'rule', values: [...rules] } });
}

const sample = 'data-colour-sample';

/**
 * By the rules about colours, on the first two of the texts that look the same: axe takes a tenth of the time for them. Texts look
 * the same where they and all elements around them have the same colours, sizes and decorations.
 */
export async function findWrongColours(page: Page): Promise<readonly string[]> {
  await page.evaluate(markColourSamples, sample);
  const axe = (await axeOn(page)).include(`[${sample}]`);
  return analyze(axe, { runOnly: { type: 'rule', values: [...colourRules] } });
}

/** Runs in the page. */
function markColourSamples(attribute: string): void {
  const looks = new Map<Element, string>();
  const hasText = ({ childNodes }: Element): boolean =>
    [...childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim() !== '');
  const lookOf = (element: Element): string => {
    const known = looks.get(element);
    if (known !== undefined) return known;
    const style = getComputedStyle(element);
    const { color, backgroundColor, backgroundImage, opacity, fontSize, fontWeight } = style;
    const { textDecorationLine, textShadow, position } = style;
    const isDisabled = element.matches(':disabled');
    const colours = [color, backgroundColor, backgroundImage, opacity, textDecorationLine, textShadow];
    const own = [element.localName, hasText(element), isDisabled, fontSize, fontWeight, position, ...colours].join();
    const { parentElement: parent } = element;
    const look = parent === null ? own : `${lookOf(parent)} > ${own}`;
    looks.set(element, look);
    return look;
  };
  const counts = new Map<string, number>();
  for (const element of document.body.querySelectorAll('*')) {
    element.removeAttribute(attribute);
    if (!element.checkVisibility() || !(hasText(element) || element.matches('input, select, textarea'))) continue;
    const look = lookOf(element);
    const count = counts.get(look) ?? 0;
    counts.set(look, count + 1);
    if (count < 2) element.setAttribute(attribute, '');
  }
}

async function axeOn(page: Page): Promise<AxeBuilder> {
  if (await page.evaluate<boolean>('window.axe === undefined')) await page.evaluate(axeScript);
  // No page has frames: the mode that needs no second page takes 60 % of the time.
  return new AxeBuilder({ page, axeSource: 'undefined' }).setLegacyMode(true);
}

/** axe would describe every element that is in order, and load the style sheets again. */
async function analyze(axe: AxeBuilder, options: AxeOptions): Promise<readonly string[]> {
  const { violations } = await axe.options({ resultTypes: ['violations'], preload: false, ...options }).analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}

/** All rules in light; in dark only those about colours, because nothing else differs. */
export async function findInLightAndDark(page: Page): Promise<Record<'inLight' | 'inDark', readonly string[]>> {
  const inLight = await findInaccessible(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  const inDark = await findWrongColours(page);
  await page.emulateMedia({ colorScheme: 'light' });
  return { inLight, inDark };
}
