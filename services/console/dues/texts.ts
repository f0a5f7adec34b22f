/** The texts of dues. */
export const en = {
  title: 'Dues',
  intro:
    'Clients with a payment that has fallen due by this day and is not paid, in the order of their ids. Late is what is past its days of tolerance.',
  which: 'Show',
  all: 'everything due and unpaid',
  late: 'only what is late',
  minDays: 'Days past due, at least',
  minDaysWrong: 'Days past due are a whole number from 1 to 99,999.',
  dayWrong: 'The day must be a date such as 2026-03-31.',
  presets: 'Late for at least:',
  days: (days: number): string => (days === 1 ? '1 day' : `${days} days`),
  totals: 'Totals',
  pageTotals: 'Totals of this page',
  furtherPages: 'There are further pages, and totals are of this page alone. The CSV has the Loans of every page.',
  leftOut: (clients: number): string =>
    clients === 1 ? 'One Client is left out of the totals.' : `${clients} Clients are left out of the totals.`,
  currency: 'Currency',
  clients: 'Clients',
  loans: 'Due Loans',
  sum: 'All Loans',
  large: (loans: number): string =>
    `More than ${loans} Loans: what is due of them is not computed on this page. The CSV has it.`,
  unknown: 'The figures of this Client are unknown until its book is repaired.',
  none: 'Nothing is due and unpaid on this day.',
  noneMatch: 'Nothing that is due on this day matches.',
};

export const es: typeof en = {
  title: 'Vencidos',
  intro:
    'Clientes con un pago que ya venció a este día y no está pagado, en el orden de sus ids. En atraso es lo que pasó sus días de tolerancia.',
  which: 'Mostrar',
  all: 'todo lo vencido y no pagado',
  late: 'solo lo que está en atraso',
  minDays: 'Días de atraso, al menos',
  minDaysWrong: 'Los días de atraso son un número entero de 1 a 99,999.',
  dayWrong: 'El día debe ser una fecha como 2026-03-31.',
  presets: 'En atraso desde hace al menos:',
  days: (days) => (days === 1 ? '1 día' : `${days} días`),
  totals: 'Totales',
  pageTotals: 'Totales de esta página',
  furtherPages: 'Hay más páginas, y los totales son solo de esta. El CSV tiene los Préstamos de todas las páginas.',
  leftOut: (clients) =>
    clients === 1 ? 'Los totales no incluyen a un Cliente.' : `Los totales no incluyen a ${clients} Clientes.`,
  currency: 'Moneda',
  clients: 'Clientes',
  loans: 'Préstamos vencidos',
  sum: 'Todos los Préstamos',
  large: (loans) => `Más de ${loans} Préstamos: lo vencido no se calcula en esta página. Está en el CSV.`,
  unknown: 'No se conocen las cifras de este Cliente hasta que se repare su libro.',
  none: 'Nada está vencido y sin pagar en este día.',
  noneMatch: 'Nada de lo vencido en este día coincide.',
};
