/** Rules about persons of the console that must hold in the database, whatever the pages offer. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { query } from '#libs/database/database.ts';
import { changeAccess, changeOperator } from '#libs/people/administer-people.ts';
import { findInvited, type Invitation, invite, inviteFromConsole, redeemLink } from '#libs/people/invitations.ts';
import { ensurePerson, findPerson, type Person } from '#libs/people/persons.ts';
import { enableSecondFactor, useSecondFactor } from '#libs/people/second-factor.ts';
import { newTotpSecret, totpCode } from '#libs/people/totp.ts';
import { createScratchDatabase, type ScratchDatabase } from '#test/support/scratch-database.ts';

const origin = { channel: 'command_line' } as const;
const by = { actor: 'test', origin };

let scratch: ScratchDatabase;
beforeAll(async () => {
  scratch = await createScratchDatabase('people');
  const text = `INSERT INTO tenancies (tenant_id, name, live, jurisdiction, time_zone, created_at, revision)
    SELECT t, t, false, 'MX', 'America/Mexico_City', 0, 1 FROM unnest($1::text[]) t`;
  await query(scratch.database, 'test_tenancies', text, [['a', 'b']]);
});
afterAll(() => scratch.drop());

const inTenancy = (email: string, tenantId: string): Invitation => ({ email, as: { tenantId, role: 'admin' }, ...by });
const asOperator = (email: string): Invitation => ({ email, as: 'operator', ...by });

async function signedUp(invitation: Invitation): Promise<Person> {
  const link = await invite(scratch.database, invitation);
  const token = link.split('/').at(-1) ?? '';
  await redeemLink(scratch.database, token, { passwordHash: 'unused', origin });
  return ensurePerson(scratch.database, invitation.email);
}

test('the last operator who can sign in is neither unmade nor disabled, also by two changes at once', async () => {
  const { database } = scratch;
  const first = await signedUp(asOperator('first@lender.example'));
  await invite(database, asOperator('never-signed-in@lender.example'));
  const unmake = ({ id }: Person) => changeOperator(database, { personId: id, isOperator: false }, by);
  const disable = ({ id }: Person) => changeAccess(database, { personId: id, isDisabled: true }, by);
  expect([await unmake(first), await disable(first)]).toEqual(['last operator', 'last operator']);
  const second = await signedUp(asOperator('second@lender.example'));
  expect((await Promise.all([unmake(first), disable(second)])).sort()).toEqual(['done', 'last operator']);
  await Promise.all([first, second].map(({ id }) => changeAccess(database, { personId: id, isDisabled: false }, by)));
});

test('an admin gets no link for a person with rights beyond the Tenancy, nor for one with a password', async () => {
  const { database } = scratch;
  const byAdmin = { isOperator: false };
  const isLink = (path: string | undefined) => path !== undefined;
  const added = await inviteFromConsole(database, inTenancy('ana@lender.example', 'a'), byAdmin);
  expect(isLink(added)).toBe(true);
  // The admin of the first Tenancy still holds its link, which would give the role in the second one, too.
  expect(isLink(await inviteFromConsole(database, inTenancy('ana@lender.example', 'b'), byAdmin))).toBe(false);
  expect(await findInvited(database, added?.split('/').at(-1) ?? '')).toBeUndefined();
  expect(isLink(await inviteFromConsole(database, inTenancy('ana@lender.example', 'b'), { isOperator: true }))).toBe(
    true,
  );
  await invite(database, asOperator('chief@lender.example'));
  expect(isLink(await inviteFromConsole(database, inTenancy('chief@lender.example', 'a'), byAdmin))).toBe(false);
  await signedUp(inTenancy('bea@lender.example', 'a'));
  expect(isLink(await inviteFromConsole(database, inTenancy('bea@lender.example', 'a'), { isOperator: true }))).toBe(
    false,
  );
});

test('a disabled person has no use of a link', async () => {
  const { database } = scratch;
  const { id } = await signedUp(inTenancy('gone@lender.example', 'a'));
  await changeAccess(database, { personId: id, isDisabled: true }, by);
  const token = (await invite(database, inTenancy('gone@lender.example', 'a'))).split('/').at(-1) ?? '';
  expect(await findInvited(database, token)).toBeUndefined();
  expect(await redeemLink(database, token, { passwordHash: 'unused', origin })).toBe(false);
});

test('a code and a recovery code are each accepted once, also by two browsers at once', async () => {
  const { database } = scratch;
  const { id } = await signedUp(inTenancy('codes@lender.example', 'a'));
  const secret = newTotpSecret();
  const step = () => Math.floor(Date.now() / 30_000);
  const person = async () => (await findPerson(database, id)) as Person;
  const setup = { secret, code: totpCode(secret, step() - 1), origin };
  const [recoveryCode = ''] = (await enableSecondFactor(database, await person(), setup)) ?? [];
  const present = await person();
  const twice = (code: string) => Promise.all([0, 1].map(() => useSecondFactor(database, present, code)));
  const [code, earlier] = [totpCode(secret, step()), totpCode(secret, step() - 1)];
  expect((await twice(code)).filter((method) => method === 'code')).toHaveLength(1);
  expect(await useSecondFactor(database, present, earlier)).toBeUndefined();
  expect((await twice(recoveryCode.toUpperCase())).filter((method) => method === 'recovery code')).toHaveLength(1);
  expect(await useSecondFactor(database, present, '')).toBeUndefined();
});
