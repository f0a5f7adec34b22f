/** Of the pages for people: one column, light or dark as the reader's machine is. */
export const style = `
:root { color-scheme: light dark; --line: #8884; --soft: #8881; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 1rem 1.5rem 6rem; }
h1 { margin-top: 1rem; } h2 { margin-top: 3rem; border-bottom: 1px solid var(--line); }
h3 { margin: 2.5rem 0 0.5rem; font-weight: 600; overflow-wrap: anywhere; } h4 { margin: 1.25rem 0 0.25rem; }
code, pre { font: 0.875em/1.5 ui-monospace, monospace; } code { background: var(--soft); padding: 0 0.2em; }
pre { background: var(--soft); padding: 0.75rem; overflow: auto; max-height: 30rem; }
table { border-collapse: collapse; width: 100%; } td, th { text-align: left; vertical-align: top; }
td, th { padding: 0.25rem 0.75rem 0.25rem 0; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
td p { margin: 0; } td table { margin: 0.25rem 0 0.25rem 1rem; width: auto; } nav ul { columns: 2; padding-left: 1rem; }
nav li { break-inside: avoid; list-style: none; } .method { display: inline-block; min-width: 4rem; } small { opacity: 0.7; }
`.trim();
