/** Defines `lending tenancy`. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { isTimeZone } from '#libs/credit/time-zone.ts';
import { addConfirmationOptions, describeCommand, parseTenancyId, wholeNumberParser } from '../command.ts';
import type { BoundsOptions, CloseOptions, OpenOptions } from '../tenancies.ts';
import { type AdminOptions, addActorOption } from './admin-options.ts';

const jurisdictionMeaning =
  'the market whose law applies: MX, which is Mexico, or ZZ, which is for tests and refused with --live';

export function addTenancyCommands(program: Command): void {
  const tenancy = program.command('tenancy').description('open, list, show and close Tenancies, and set their bounds');
  const list = tenancy
    .command('list')
    .description('list the Tenancies of the cell')
    .action(async (options: AdminOptions) => (await import('../tenancies.ts')).listTenancies(options));
  describeCommand(list, { effect: 'reads', examples: ['tenancy list', 'tenancy list --json'] });

  const show = tenancy
    .command('show')
    .description('show a Tenancy with its bounds in force and its keys')
    .argument('<tenancy>', 'its id', parseTenancyId)
    .action(async (tenantId: string, options: AdminOptions) =>
      (await import('../tenancies.ts')).showTenancy(tenantId, options),
    );
  describeCommand(show, { effect: 'reads', examples: ['tenancy show demo'] });

  const open = tenancy
    .command('open')
    .description('open a Tenancy; the same command again returns the same Tenancy')
    .argument('<tenancy>', 'its id: 1 to 64 letters, digits, - and _', parseTenancyId)
    .option('--name <text>', 'its name (default: its id)')
    .option('--live', 'a live Tenancy, whose keys are live keys')
    .option('--jurisdiction <market>', jurisdictionMeaning, 'MX')
    .option('--time-zone <zone>', 'an IANA time zone', parseTimeZone, 'America/Mexico_City')
    .addOption(
      new Option('--again', 'open a closed Tenancy again, as it was; its keys stay revoked').conflicts([
        'name',
        'live',
        'jurisdiction',
        'timeZone',
      ]),
    );
  addConfirmationOptions(open, 'show the Tenancy as it would be');
  addActorOption(open).action(async (tenantId: string, options: OpenOptions) =>
    (await import('../tenancies.ts')).openTenancy(tenantId, options),
  );
  describeCommand(open, {
    effect: 'irreversible',
    examples: [
      "tenancy open acme --name 'Acme Credit' --live --dry-run",
      "tenancy open acme --name 'Acme Credit' --live --yes",
      'tenancy open try-1 --jurisdiction ZZ',
      'tenancy open acme --again',
    ],
    details: `
Its name, market, time zone and whether it is live are fixed for its life, and a Tenancy is never deleted. With --live the command
asks first, unless the Tenancy exists.`,
  });

  addCloseCommand(tenancy);
  addBoundsCommand(tenancy);
}

function addCloseCommand(tenancy: Command): void {
  const close = tenancy
    .command('close')
    .description('close a Tenancy: revoke all its keys, so that no request of it is accepted; its records stay')
    .argument('<tenancy>', 'its id', parseTenancyId)
    .requiredOption('--basis <text>', 'why it is closed; recorded with the actor as a fact of the Tenancy');
  addConfirmationOptions(close, 'show the Tenancy and the keys that would be revoked');
  addActorOption(close).action(async (tenantId: string, options: CloseOptions) =>
    (await import('../tenancies.ts')).closeTenancy(tenantId, options),
  );
  describeCommand(close, {
    effect: 'irreversible',
    examples: [
      "tenancy close acme --basis 'contract of 2026 ended' --dry-run",
      "tenancy close acme --basis 'moved' --yes",
    ],
    details: `
Requests that were signed with its keys are refused as unauthenticated (401) within a second; what was accepted before that
may still be recorded. Minting a key and setting the bounds are refused until the Tenancy is opened again by lending tenancy
open --again. The people of its console can still read its records.`,
  });
}

function addBoundsCommand(tenancy: Command): void {
  const bounds = tenancy
    .command('set-bounds')
    .alias('bounds')
    .description('show or change the request bounds of a Tenancy; those not stated stay; in force within a second')
    .argument('<tenancy>', 'its id', parseTenancyId)
    .option('--concurrent <number>', 'requests in progress at once, per instance', parseBound)
    .option('--patience-ms <number>', 'how long a request waits for its turn', parseBound)
    .option('--per-second <number>', 'requests per second, over all instances', parseBound)
    .option('--burst <number>', 'requests at once after a pause', parseBound)
    .addOption(
      new Option('--default', 'the default bounds again').conflicts(['concurrent', 'patienceMs', 'perSecond', 'burst']),
    );
  addActorOption(bounds).action(async (tenantId: string, options: BoundsOptions) =>
    (await import('../tenancies.ts')).showOrSetBounds(tenantId, options),
  );
  describeCommand(bounds, {
    effect: 'reversible',
    examples: [
      'tenancy set-bounds acme',
      'tenancy set-bounds acme --per-second 200 --burst 400',
      'tenancy set-bounds acme --default',
    ],
  });
}

const parseBound = wholeNumberParser(1, 1_000_000);

function parseTimeZone(value: string): string {
  if (isTimeZone(value)) return value;
  throw new InvalidArgumentError('Expected an IANA time zone, such as America/Mexico_City.');
}
