/** Samples of the stream of Loan events. It has no end, so each SDK has a method of its own for it. */
import { examples } from './recorded-examples.ts';

/** By the id of the language. */
export const streamSamples: Readonly<Record<string, string>> = {
  curl: `target=/v1/tenants/demo/loan-events/stream
curl -N "$LENDING_URL$target" \\
  -H "Authorization: $(lending_sign GET "$target")"`,
  typescript: `import { Lending } from 'lending-sdk';

const lending = new Lending();
// Store the cursor with what you did. followStream({ from: cursor }) continues after it.
for await (const { events, cursor } of lending.followStream()) {
  console.dir({ events, cursor }, { depth: null });
}`,
  python: `from lending import Lending

lending = Lending()
# Store the cursor with what you did. follow_stream(cursor) continues after it.
for followed in lending.follow_stream():
    print(followed.events, followed.cursor)`,
  java: `import lending.EventStream;
import lending.FeedEvents;
import lending.Lending;

Lending lending = new Lending();
// Store the cursor with what you did. followStream(cursor) continues after it.
try (EventStream stream = lending.followStream(null)) {
    for (FeedEvents followed : stream) {
        System.out.println(followed.events() + " " + followed.cursor());
    }
}`,
  cli: 'lending events follow --json',
};

/** What the stream sends for the last event of the recorded page of the feed, whose cursor is that of the page. */
export function streamedAnswer(): string {
  const { events, cursor } = (examples.readFeed?.answer ?? { events: [], cursor: '' }) as object as FeedPage;
  const event = events.at(-1);
  if (event === undefined) throw new Error('the recorded page of the feed has no events; record the examples again');
  return `id: ${cursor}\nevent: ${event.kind}\ndata: ${JSON.stringify(event)}`;
}

interface FeedPage {
  readonly events: readonly { readonly kind: string }[];
  readonly cursor: string;
}
