/** Screenshots of the console: artefacts of every run of the tests in a browser. */
import { mkdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Page } from 'playwright-core';
import { projectDir } from '#deploy/dev/dev-files.ts';

export const screenshotDir = join(projectDir, '.data', 'screenshots');
/** Each page of the routes of the console. It is made again in each run. */
export const routeScreenshotDir = join(screenshotDir, 'routes');

/** The whole page, as wide as the screen is now. */
export async function saveScreenshot(page: Page, file: string, { fullPage = true } = {}): Promise<void> {
  mkdirSync(dirname(file), { recursive: true });
  await page.screenshot({ path: file, type: 'jpeg', quality: 60, fullPage });
}

export function wereScreenshotsTakenSince(moment: number): boolean {
  return (statSync(routeScreenshotDir, { throwIfNoEntry: false })?.mtimeMs ?? 0) >= moment;
}
