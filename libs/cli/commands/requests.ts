/** Defines `lending request` and `lending tail`: the log of answered requests. */
import type { Command } from 'commander';
import { describeCommand, wholeNumberParser } from '../command.ts';
import type { ShowRequestOptions } from '../requests/show-request.ts';
import type { TailOptions } from '../requests/tail.ts';
import { addCallerOptions } from './caller-options.ts';

export function addRequestCommands(program: Command): void {
  const request = program.command('request').description('look up an answered request');
  const show = request
    .command('show')
    .description('show a request of the last thirty days: when, by which key, how long, and how it was answered')
    .argument('<id>', "the Request-Id of the answer, or the caller's own id of the request");
  addCallerOptions(show).action(async (id: string, options: ShowRequestOptions) =>
    (await import('../requests/show-request.ts')).showRequest(id, options),
  );
  describeCommand(show, { effect: 'reads', examples: ['request show 01a21175-6394-73b5-8d29-de8e56a8cb7e'] });

  const tail = program
    .command('tail')
    .description('print the answered requests of the Tenancy as they come')
    .option('--lines <number>', 'how many of the last requests are printed first', wholeNumberParser(0, 200), 10)
    .option('--status <status>', 'only this HTTP status', wholeNumberParser(100, 599))
    .option('--code <code>', 'only this refusal code')
    .option('--key <fingerprint>', 'only requests signed with this key')
    .option('--route <name>', 'only this route, such as reportReceipt')
    .option('--no-follow', 'end after the last requests');
  addCallerOptions(tail).action(async (options: TailOptions) => (await import('../requests/tail.ts')).tail(options));
  describeCommand(tail, {
    effect: 'reads',
    examples: [
      'tail',
      'tail --status 422 --json',
      'tail --lines 100 --no-follow --key 29e0994ff8ff48a7c1c951f32be1b8f3',
    ],
    details: `
Ctrl-C ends it. Where the service does not answer for 60 seconds, or for the time of --patience, it ends with exit code 1.
Reads of the log itself, such as those of this command, are left out unless --route listRequests asks for them. With --json:
one object per line.`,
  });
}
