/** Refusals in the language of the page. A code of the catalogue without a Spanish sentence does not compile. */
import { catalogue, type RefusalCode } from '#libs/schema/refusals.ts';

interface ShownRefusal {
  readonly code: string;
  readonly details?: { readonly field?: unknown; readonly bound?: unknown } | undefined;
}

interface RefusalWords {
  readonly refusals: Readonly<Record<string, string>>;
  readonly errors: { readonly refused: string };
}

/** The sentence, the field and the bound where they are known, and the code, by which the documentation names it. */
export function refusalText({ refusals, errors }: RefusalWords, { code, details }: ShownRefusal): string {
  const sentence = refusals[code] ?? errors.refused;
  const where = [details?.field, details?.bound].filter((detail) => detail !== undefined && detail !== null);
  const shown = where.map((detail) => (typeof detail === 'string' ? detail : JSON.stringify(detail)));
  return `${sentence} (${[code, ...shown].join(' · ')})`;
}

/** By code; a newer release may add some. */
export const en: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(catalogue).map(([code, { message }]) => [code, message]),
);

const sentences: Readonly<Record<RefusalCode, string>> = {
  invalid_query: 'La consulta o un encabezado no es válido para esta ruta.',
  invalid_contract_version: 'La Contract-Version solicitada no es una publicada.',
  invalid_body: 'El cuerpo no es un objeto JSON válido.',
  unauthenticated: 'La solicitud no tiene una credencial válida.',
  not_permitted_tenant: 'La clave es de otra Tenencia.',
  not_permitted_scope: 'El alcance de la clave no permite este método.',
  not_permitted_agent: 'Los agentes no pueden apuntar ni quitar claves de búsqueda en una Tenencia real.',
  not_found: 'No existe lo que se nombra.',
  no_route: 'No existe esa ruta.',
  no_receipt: 'No existe ese Cobro.',
  no_configuration: 'No existe esa versión de la configuración.',
  no_quote: 'El Préstamo no tiene esa cotización de liquidación.',
  method_not_allowed: 'La ruta no admite ese método.',
  contract_version_required: 'El registro necesita una Contract-Version más reciente.',
  contended: 'Otra escritura en el mismo libro tardó demasiado. No se registró nada.',
  reference_reused: 'La referencia ya está registrada con otro contenido.',
  client_registered: 'El Cliente ya está registrado con otro contenido.',
  lookup_key_taken: 'La clave de búsqueda apunta a otra versión.',
  client_barred: 'El Cliente tiene vedado el crédito nuevo.',
  already_resolved: 'La Decisión ya está resuelta.',
  already_published: 'La versión de la política ya está publicada.',
  not_referred: 'La Decisión no fue remitida.',
  decision_not_approving: 'La Decisión no es una aprobación.',
  loan_held: 'El Préstamo está retenido.',
  loan_closed: 'El Préstamo está liquidado.',
  loan_voided: 'El Préstamo está anulado.',
  loan_cancelled: 'El Préstamo está cancelado.',
  loan_undone: 'El Préstamo fue deshecho.',
  loan_has_receipts: 'Los Cobros ya pagaron algo del Préstamo.',
  not_held: 'El Préstamo no está retenido.',
  hold_expired: 'La retención terminó antes de ese día.',
  cession_in_force: 'El Préstamo está cedido.',
  already_ceded: 'El Préstamo ya está cedido.',
  already_written_off: 'El Préstamo ya está castigado.',
  already_suspended: 'Otra suspensión cubre alguno de esos días.',
  already_retracted: 'El acto ya fue retirado.',
  already_reversed: 'El Cobro ya fue revertido.',
  fact_depended_on: 'Otro hecho depende de este.',
  withdrawal_window_closed: 'El plazo para desistir terminó.',
  waiver_exceeds_charge: 'La condonación supera lo adeudado del cargo.',
  return_exceeds_principal: 'La devolución supera el capital pendiente.',
  rollovers_exhausted: 'No quedan renovaciones.',
  rollover_unpaid: 'Los cargos del periodo deben estar pagados antes de renovar.',
  acceleration_forbidden: 'El producto o la ley no permiten el vencimiento anticipado.',
  acceleration_unearned: 'No hay suficientes periodos en atraso para el vencimiento anticipado.',
  notice_too_short: 'El aviso al acreditado es demasiado corto.',
  body_too_large: 'El cuerpo es más grande de lo que acepta esta ruta.',
  unsupported_media_type: 'El cuerpo debe ser application/json sin codificación de contenido.',
  unknown_field: 'El cuerpo tiene un miembro que esta ruta no conoce.',
  missing_field: 'Falta un campo.',
  invalid_field: 'Un campo tiene un valor no válido.',
  invalid_identifier: 'Un identificador no es válido.',
  amount_out_of_range: 'El importe está fuera del rango permitido.',
  field_locked: 'El arquetipo fija este campo.',
  inconsistent_values: 'Dos valores indicados se contradicen.',
  idempotency_mismatch: 'La Idempotency-Key se usó para otra solicitud.',
  unknown_client: 'El Cliente no está registrado.',
  unknown_loan: 'El Préstamo no es de este Cliente.',
  outside_loan: 'Falta el día.',
  invalid_application: 'La solicitud de crédito no es válida.',
  invalid_event: 'El acto no es posible ese día, o un hecho vigente lo impide.',
  return_not_provided: 'El producto no prevé devoluciones.',
  withdrawal_not_provided: 'El producto no prevé el desistimiento.',
  rollover_not_provided: 'El producto no prevé renovaciones.',
  charge_not_waivable: 'El capital no se puede condonar.',
  settlement_not_less: 'El importe acordado no es menor que la liquidación.',
  not_retractable: 'Ese hecho no se puede retirar.',
  payoff_needs_designation: 'Para liquidar se debe indicar el Préstamo.',
  currency_mismatch: 'La moneda no es la del Préstamo.',
  principal_outside_range: 'El capital está fuera de lo que ofrece el producto.',
  term_not_offered: 'El producto no ofrece ese número de periodos.',
  schedule_not_offered: 'El producto no ofrece ese calendario.',
  rate_outside_corridor: 'La tasa está fuera del rango del producto.',
  penalty_rate_outside_corridor: 'La tasa moratoria está fuera del rango del producto.',
  down_payment_outside_range: 'El enganche está fuera de lo que ofrece el producto.',
  tax_not_provided: 'El mercado no prevé ese impuesto.',
  penalty_rate_above_cap: 'La tasa moratoria supera el tope de la ley.',
  late_fee_beside_penalty: 'La ley no permite una comisión por atraso junto con una tasa moratoria.',
  outside_market: 'Las condiciones del producto están fuera de lo que permite el mercado.',
  beyond_horizon: 'El plan llega más allá del calendario del mercado.',
  hold_outside_range: 'La retención está fuera de lo que ofrece el producto.',
  plan_not_amortising: 'El plan no amortiza el capital.',
  figure_out_of_range: 'La cifra anual es demasiado alta para informarla.',
  client_open_loans: 'El Cliente tiene el máximo de Préstamos abiertos.',
  client_exposure: 'El Cliente debería más de lo que permite el producto.',
  client_overdue: 'Un Préstamo del Cliente está vencido.',
  facility_other_client: 'La línea es de otro Cliente.',
  facility_other_configuration: 'La línea es para otra configuración.',
  outside_facility_window: 'El inicio está fuera de los días de la línea.',
  facility_exhausted: 'La línea no tiene disponible suficiente.',
  facility_superseded: 'Otra línea reemplazó a esta.',
  cannot_supersede: 'No es una línea abierta de este Cliente y esta configuración.',
  amount_above_decision: 'El importe supera lo que aprobó la Decisión.',
  outside_window_bound: 'La línea está abierta más tiempo del que permite el mercado.',
  no_policy: 'Esa versión de la política no está publicada, o no se ha adoptado ninguna.',
  invalid_policy: 'El contenido no es una política válida.',
  rate_without_decimal: 'Una tasa no tiene un decimal de a lo más ocho lugares.',
  too_many_concurrent: 'Demasiadas solicitudes simultáneas de esta Tenencia.',
  rate_exceeded: 'Esta Tenencia supera su tasa de solicitudes.',
  internal_error: 'El servicio falló.',
  unavailable: 'El servicio no está disponible por el momento.',
};

export const es: typeof en = sentences;
