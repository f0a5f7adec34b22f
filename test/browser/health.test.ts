/** The health of the cell, and the release of a parked book by an operator. */
import { expect, test } from '@jest/globals';
import { bookKey } from '#libs/kafka/book-key-partition.ts';
import { connectKafka } from '#libs/kafka/kafka-client.ts';
import { readVersion } from '#libs/runtime/build.ts';
import { topicReader } from '#services/console/health/topic-state.ts';
import { partitionCount, partitionOf } from '#test/support/partitions.ts';
import { openTestDatabases } from '#test/support/test-databases.ts';
import { OneProductLender } from '../support/one-product-lender.ts';
import { eventually, testEnvironment } from '../support/tenant.ts';
import { writeUndecodable } from '../support/undecodable-record.ts';
import {
  browserTestTimeoutMs,
  checkPage,
  createInvitation,
  describeInBrowser,
  openVisitor,
  signInByLink,
  testPassword,
} from './browser.ts';

/** An undecodable record parks the book of the Client, and a Receipt waits behind it. Returns the name of the book. */
async function parkBook(lender: OneProductLender): Promise<string> {
  const client = await lender.client();
  await writeUndecodable(lender.tenant.id, `c/${client}`);
  const amount = { minor_units: 100, currency: 'MXN' };
  const receipt = { reference: `waiting-${client}`, client_id: client, amount, value_date: '2026-03-01' };
  expect((await lender.tenant.post('/receipts', receipt)).status).toBe(500);
  return `${lender.tenant.id}/c/${client}`;
}

await describeInBrowser('an operator', (browser) => {
  test(
    'sees the health of the cell, and releases a parked book after typing its name',
    async () => {
      const lender = await OneProductLender.open(testEnvironment());
      const name = await parkBook(lender);
      const { context, page } = await openVisitor(browser);
      await signInByLink(page, await createInvitation('health@lender.example', 'operator'));
      await eventually(async () => {
        await page.goto('/health');
        return (await page.getByText('The topics were read').count()) === 1;
      });
      const owners = page.getByRole('region', { name: 'Owners of the partitions' }).locator('tbody tr');
      expect(await owners.count()).toBeGreaterThan(0);
      await page.getByText(`Each of the ${partitionCount} partitions`).click();
      await page.getByText('Programs that are connected to Postgres').click();
      const partitions = page.getByRole('region', { name: 'Partitions', exact: true }).locator('tbody tr');
      expect(await partitions.count()).toBe(partitionCount);
      expect(await partitions.getByText('not known').count()).toBe(0);
      expect(await page.getByRole('status').textContent()).toContain('Parked books:');
      const instances = page.getByRole('region', { name: 'Running instances' }).locator('tbody tr');
      await instances.filter({ hasText: 'processor' }).filter({ hasText: readVersion() }).first().waitFor();
      await page.getByText('No base backup is recorded.').first().waitFor();
      await checkPage(page, 'health-details');
      await page.goto('/health');
      await checkPage(page, 'health');

      await page.getByRole('link', { name }).click();
      expect(await page.locator('tbody tr').count()).toBe(2);
      await checkPage(page, 'parked-book');
      const release = async (confirmation: string, password = testPassword) => {
        await page.getByLabel('Why it is released').fill('the record was written by a test');
        await page.getByLabel('To confirm').fill(confirmation);
        await page.getByLabel('Your present password').fill(password);
        await page.getByRole('button', { name: 'Release the book' }).click();
      };
      await release(name.toUpperCase());
      expect(await page.getByRole('alert').textContent()).toContain('What you typed is not the name of the book.');
      await release(name, 'a wrong password');
      expect(await page.getByRole('alert').textContent()).toContain('Your present password is wrong.');
      // The undecodable submission parks the book again.
      await release(name);
      expect(await page.getByRole('alert').textContent()).toContain('0 submissions were decided; 2 still wait.');
      await page.getByRole('checkbox').first().check();
      await release(name);
      await page.getByRole('heading', { name: 'Health of the cell' }).waitFor();
      await page.getByText('The book is released').waitFor();
      expect(await page.getByRole('link', { name }).count()).toBe(0);
      const receipt = await lender.tenant.get(`/receipts/waiting-${name.split('/').at(-1)}`);
      expect(receipt.status).toBe(200);

      const acts = page.locator('tbody tr');
      await eventually(async () => {
        await page.goto(`/audit-list?person=${encodeURIComponent(name)}`);
        return (await acts.count()) === 4;
      });
      const cells = (await acts.first().locator('td').allTextContents()).slice(3);
      expect(cells.slice(0, 3)).toEqual(['parked book released', name, 'parked']);
      expect(cells[3]).toContain('the record was written by a test');
      await lender.tenant.close();
      await context.close();
    },
    browserTestTimeoutMs,
  );

  test(
    'sees no backlog of what was recorded, decided and published after the topics were read',
    async () => {
      const lender = await OneProductLender.open(testEnvironment());
      const client = await lender.client();
      const partition = partitionOf(bookKey(lender.tenant.id, `c/${client}`));
      const { context, page } = await openVisitor(browser);
      await signInByLink(page, await createInvitation('backlog@lender.example', 'operator'));
      await eventually(async () => {
        await page.goto('/health');
        return (await page.getByText('The topics were read').count()) === 1;
      });
      const receipts = Array.from({ length: 400 }, (_, index) => ({
        reference: `${client}-${index}`,
        client_id: client,
        amount: { minor_units: 100, currency: 'MXN' },
        value_date: '2026-03-01',
      }));
      expect((await lender.tenant.post('/receipts/batch', { receipts })).status).toBe(200);
      const { stack } = testEnvironment();
      const kafka = connectKafka(stack.kafkaBrokers, 'health');
      const { databases, close } = await openTestDatabases(testEnvironment(), { name: 'health' });
      const { schemaRegistryUrl } = stack;
      const read = topicReader({ kafka, schemaRegistryUrl, databases });
      await eventually(async () => (await read()).partitions.get(partition)?.unpublished.waiting === 0);
      await page.goto('/health');
      await page.getByText(`Each of the ${partitionCount} partitions`).click();
      const row = page.getByRole('region', { name: 'Partitions', exact: true }).locator('tbody tr').nth(partition);
      const [undecided, unpublished] = (await row.locator('td').allTextContents()).slice(-2).map(Number);
      // Other tests may write to the partition.
      expect(undecided).toBeLessThan(200);
      expect(unpublished).toBeLessThan(200);
      await Promise.all([lender.tenant.close(), context.close(), close()]);
    },
    browserTestTimeoutMs,
  );
});
