/** The demo data: products and policies, then 200 Clients. The same seed and day give the same requests. */
import type { CivilDay } from '#libs/calendar/civil-day.ts';
import { Random } from '#libs/runtime/random.ts';
import { ClientRequests } from './client-requests.ts';
import * as credit from './credit-cases.ts';
import type { ClientCase } from './instalment-cases.ts';
import * as instalment from './instalment-cases.ts';
import { people } from './people.ts';
import { policySteps } from './policies.ts';
import { productSteps } from './products.ts';
import * as short from './short-cases.ts';
import type { Step } from './step.ts';

export interface DemoRequests {
  /** Recorded in this order, before everything about Clients. */
  readonly setup: readonly Step[];
  /** The requests of each Client, in their order. */
  readonly clients: readonly (readonly Step[])[];
}

const clientCount = 200;

/** How many Clients are in which case; the others pay a personal loan on time. */
const cases: readonly (readonly [count: number, clientCase: ClientCase])[] = [
  [14, instalment.paysFromPayroll],
  [6, instalment.paysEarly],
  [5, instalment.paidLateOnce],
  [8, instalment.overdue(4, 29)],
  [5, instalment.overdue(30, 59)],
  [3, instalment.overdue(60, 95)],
  [8, instalment.paidOff],
  [3, instalment.settledForLess],
  [1, instalment.settlementOffered],
  [4, instalment.suspended],
  [2, instalment.suspensionEndedEarly],
  [3, instalment.penaltyWaived],
  [5, instalment.writtenOff],
  [1, instalment.writeOffTakenBack],
  [4, instalment.ceded],
  [4, instalment.restructured],
  [3, instalment.accelerated],
  [3, instalment.held],
  [2, instalment.holdExpired],
  [2, instalment.voided],
  [2, instalment.confirmed],
  [3, instalment.cancelled],
  [2, instalment.rescinded],
  [3, instalment.withdrawn],
  [5, instalment.paymentReturned],
  [12, short.purchasePaidOnTime],
  [12, short.purchaseClosed],
  [5, short.purchaseOverdue],
  [3, short.goodsReturned],
  [1, short.allGoodsReturned],
  [3, short.purchaseWithDownPayment],
  [4, short.advanceRunning],
  [3, short.advanceOverdue],
  [6, short.advanceClosed],
  [4, short.advanceRolledOver],
  [4, short.twoLoans],
  [6, credit.refused],
  [2, credit.notOffered],
  [3, credit.waitsForDecision],
  [2, credit.referredAndApproved],
  [2, credit.referredAndRefused],
  [3, credit.facilityDrawn],
  [5, credit.lineInUse],
  [1, credit.lineRenewed],
];

export function makeDemoRequests({ seed, day }: { readonly seed: number; readonly day: CivilDay }): DemoRequests {
  const random = new Random(seed);
  const special = cases.flatMap(([count, clientCase]) => Array.from({ length: count }, () => clientCase));
  const usual = Array.from({ length: clientCount - special.length }, () => instalment.paysOnTime);
  const shuffled = random.shuffled([...special, ...usual]);
  const clients = people(clientCount, random).map((person, index) => {
    const requests = new ClientRequests(person, day, random);
    shuffled[index]?.(requests);
    return requests.steps;
  });
  return { setup: [...productSteps(), ...policySteps()], clients };
}
