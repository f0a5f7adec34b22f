/** The form of the signature check. */
import type { Visit } from '../console-context.ts';
import { choice, csrfInput, errorList, field, textArea } from '../form.ts';
import { type Html, html } from '../html.ts';
import type { RequestForm } from './request-form.ts';

export function signatureForm(
  { texts, browserToken, tenantId }: Visit,
  form: RequestForm,
  problem: string | undefined,
): Html {
  const words = texts.signature;
  const encodings = [
    { value: 'text', text: words.text },
    { value: 'hex', text: words.hex },
    { value: 'base64', text: words.base64 },
  ];
  const hasMore = form.method !== '' || form.target !== '' || form.signed_text !== '' || form.request_id !== '';
  return html`<form
    class="signature-form"
    method="post"
    action=${`/tenancies/${tenantId}/signature#result`}
    data-refuse-secrets=${words.secretFound}
  >
    <p>${words.intro}</p>
    ${csrfInput(browserToken)}
    <div data-secret-problem>${errorList(problem === undefined ? [] : [problem])}</div>
    ${textArea({ name: 'message', label: words.message, hint: words.messageHint, value: form.message, rows: 7 })}
    ${textArea({ name: 'body', label: words.body, hint: words.bodyHint, value: form.body, rows: 4 })}
    ${choice('body_as', words.bodyAs, encodings, form.body_as)}
    <details open=${hasMore}>
      <summary>${words.more}</summary>
      <div class="grid">
        ${field({ name: 'method', label: words.method, hint: words.methodHint, value: form.method, required: false })}
        ${field({ name: 'target', label: words.target, hint: words.targetHint, value: form.target, required: false })}
        ${field({
          name: 'request_id',
          label: words.requestId,
          hint: words.requestIdHint,
          value: form.request_id,
          required: false,
        })}
      </div>
      ${textArea({
        name: 'signed_text',
        label: words.signedText,
        hint: words.signedTextHint,
        value: form.signed_text,
        rows: 5,
      })}
    </details>
    <button>${words.check}</button>
  </form>`;
}
