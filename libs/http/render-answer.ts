/** Turns the answer of a route into that of the requested contract version, after a repeat under an Idempotency-Key was answered. */
import type { ContractRules } from '#libs/api/contract-rules.ts';
import type { RouteResult } from '#libs/http/handler.ts';
import type { PipelineStep } from '#libs/http/middleware.ts';
import { type RequestContext, required } from '#libs/http/request-context.ts';
import type { Json } from '#libs/schema/json.ts';
import { isRefusal } from '#libs/schema/refusals.ts';

/** The step itself if no version renders an answer differently. */
export function renderForVersion(rules: ContractRules, step: PipelineStep): PipelineStep {
  if (!rules.rendersAnswers) return step;
  return async (context) => {
    const result = await step(context);
    return result === undefined ? undefined : rendered(rules, context, result);
  };
}

function rendered(rules: ContractRules, context: RequestContext, result: RouteResult): RouteResult {
  if (isRefusal(result)) return result;
  const { route, version, receivedAt, query, body } = required(context.authorizedRequest, 'authorized request');
  const request = { route, version, at: receivedAt, query, body };
  const { text = result.body === undefined ? undefined : JSON.stringify(result.body), ...rest } = result;
  if (text === undefined || !rules.needsRendering(request)) return result;
  const answer = JSON.parse(text) as Json;
  const outcome = rules.renderAnswer(request, answer);
  if (isRefusal(outcome)) return outcome;
  context.announce(outcome.windows);
  return outcome.answer === answer ? result : { ...rest, body: outcome.answer };
}
