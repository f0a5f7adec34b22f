/** What a reader of the document must know before any route. */

export const introduction = `
A lending book as a service. Callers record facts: a Loan was issued, money arrived, a debt was written off. Each is dated by the civil day it is about, which the caller states, and by the moment it was recorded. No state and no balance is stored: every answer is folded from the facts as they stand when it is asked for.

**Freshness.** A read shows every write that was answered before it was asked, on every route, listings included.

**Money** is \`{minor_units, currency}\`, whole. A **civil day** is \`YYYY-MM-DD\`. A **timestamp** is RFC 3339 in UTC with six decimals. A **rate** is a decimal string in per cent a year.

**Acts.** A mutation carries a \`reference\`, unique in its namespace. Sent again with the same body it answers 200 with the record as it reads now; with another body 409 \`reference_reused\`. Whatever became of a request, the same reference asks for it. The two routes that take no reference read \`Idempotency-Key\`.

**Refusals** come in one envelope. Branch on \`code\`; choose the next act from \`retry\`. The catalogue is in \`x-refusals\` and only ever grows.

**Paging.** \`cursor\` is opaque and never expires. A listing ends exactly where a page comes without one; only the feed always answers one.

**Versions.** \`Contract-Version\` states one; each answer names its own. Enumerations are marked \`x-enum-open\`: an open one may gain a member at any time, which is then not to be interpreted; a closed one gains a member only for callers that know it. Answers may gain members: ignore what is not known.

**Methods.** HEAD is answered wherever GET is, signed as HEAD, with the same status and headers. Every other method of a path is 405 with \`Allow\`; a path that is none, 404 \`no_route\`.
`.trim();

export const signatureSays = `
\`Authorization: Service-Ed25519 fp=<fingerprint>,ts=<unix seconds>,sig=<signature>\`, exactly these three, in this order, without spaces around \`=\` and \`,\`.

\`fp\` is the first 16 bytes of SHA-256 of the public key in lower-case hexadecimal; \`sig\` the Ed25519 signature in base64url without padding, over these lines joined by a single line feed, none at the end:

1. the method, upper case
2. the request target as it is sent: path and, where there is one, \`?\` and the query
3. \`ts\`
4. SHA-256 of the body as it is sent, in lower-case hexadecimal (of nothing where there is none)
5. only where the header \`Idempotency-Key\` is sent: its value

The timestamp may be five minutes off. A read key permits GET and HEAD, a write key everything. Every presentation that cannot be used gets the same 401: look at the clock first.
`.trim();
