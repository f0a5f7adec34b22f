/** The rules of the fold in words: what each figure is, and how each charge arises. */
export const en = {
  figureRules: {
    overdue:
      'Everything that the periods fallen due by the day still owe. It includes what falls due that very day and periods within the tolerance. Where the whole debt was called or written off, it equals the payoff.',
    late: 'What the late periods still owe, with penalty and late fee. A period is late once its days past due are more than the tolerance days, unless a suspension covers the day. Where the whole debt was called or written off, it is everything owed.',
    payoff:
      'What discharges the Loan on the day: all unpaid principal, unpaid interest of ended periods, the interest that the running period accrued to the day, and unpaid fees, penalty and late fees, each with its tax. While a settlement for less runs, it is what is left of the agreed amount, if that is smaller.',
    instalment:
      'All that the first unsettled period due on the day or later still charges: its whole interest included, also before its day.',
    paid: 'What Receipts have settled on the Loan by the day. The down payment is not in it. What is owed back to the Client later does not lower it.',
  },
  chargeRules: {
    principal:
      'The amortisation divides the amount lent over the periods. Principal of a period is owed from the first day of the Loan and is overdue once the period has fallen due. Principal is never taxed.',
    interest:
      'Interest grows each day on the principal of this and the later periods, less what was paid ahead: balance × yearly rate × part of the year by the day count. The stretches with different balances are added and rounded once, half to even. Money received on a day stops interest on it from that day. After its scheduled day a period bears no more interest.',
    fee: 'The origination fee is charged at issuance and falls due with the first period. A rollover charges its own fee with the new period.',
    penalty:
      'A late period bears penalty for each day past due, counted from the day after it fell due: what is unpaid of the penalty base at the end of the day before, before tax and after waivers, added up over the days, × yearly penalty rate × one day. It is rounded once, half to even. Days of a suspension do not count.',
    late_fee: 'Charged once for each period, on the day on which the period becomes late.',
    tax: 'The taxed charges bear tax: the amount of the line × tax rate, rounded half to even. Where a waiver or an act lowers a line, its tax follows.',
    order:
      'Money settles periods in the order of their due days, and the charges of one period in this order. Money for a part of a line settles its tax in proportion.',
  },
  parameters: {
    principal: 'Amount lent',
    term_periods: 'Periods',
    amortisation: 'Amortisation',
    level: 'Level payment of the plan',
    rate: 'Yearly rate',
    day_count: 'Day count',
    origination_fee: 'Origination fee',
    rollover_fee: 'Rollover fee',
    penalty_rate: 'Yearly penalty rate',
    penalty_base: 'Penalty base',
    penalty_day: 'One day of penalty',
    tolerance_days: 'Tolerance in days',
    tolerance: 'Tolerated remainder: up to this amount it counts as settled for lateness and penalty',
    penalty_ceiling_days: 'Penalty ends after so many days',
    penalty_ceiling_bps: 'Penalty of the whole Loan, at most, in ten-thousandths of the principal',
    late_fee: 'Late fee',
    tax_rate: 'Tax rate',
    taxed: 'Taxed charges',
    charge_order: 'Order of charges',
    early_money: 'Money paid early',
  },
  values: {
    level_payment: 'level payment, tax on interest included',
    level_principal_and_interest: 'level principal and interest, tax on top',
    equal_principal: 'equal principal',
    actual_360: 'actual days / 360',
    actual_365: 'actual days / 365',
    thirty_360: '30E / 360',
    actual_actual: 'actual / actual (ISDA)',
    overdue_principal: 'unpaid principal of the period',
    overdue_instalment: 'unpaid principal, interest and fee of the period',
    reduces_principal: 'lowers the principal, the term stays',
    shortens_term: 'lowers the principal, the plan ends sooner',
    settles_next: 'settles the next instalments',
  },
  partOfYear: (days: string) => `1/${days} of a year`,
  perCent: (rate: string) => `${rate} %`,
  sources: {
    terms: 'Terms of the Loan',
    restructure: 'Restructure of the Loan',
    product: (version: number) => `Product, version ${version}`,
    productDefault: (version: number) => `Default of the product, version ${version}`,
    market: (jurisdiction: string) => `Market ${jurisdiction}`,
    provisional: 'provisional',
    derived: 'From the day count',
    plan: 'Computed by the plan in force',
  },
};

export const es: typeof en = {
  figureRules: {
    overdue:
      'Todo lo que los periodos vencidos al día aún deben. Incluye lo que vence ese mismo día y los periodos dentro de la tolerancia. Si se anticipó o castigó todo el adeudo, es igual a la liquidación.',
    late: 'Lo que aún deben los periodos en atraso, con interés moratorio y comisión por atraso. Un periodo está en atraso cuando sus días vencidos superan los días de tolerancia, salvo que una suspensión cubra el día. Si se anticipó o castigó todo el adeudo, es todo lo adeudado.',
    payoff:
      'Lo que liquida el Préstamo ese día: todo el capital no pagado, el interés no pagado de los periodos terminados, el interés que el periodo en curso acumuló hasta el día, y las comisiones, el interés moratorio y las comisiones por atraso no pagados, cada uno con su impuesto. Mientras corre una quita, es lo que falta del importe acordado, si es menor.',
    instalment:
      'Todo lo que aún cobra el primer periodo no pagado que vence ese día o después: con su interés completo, también antes de su día.',
    paid: 'Lo que los Cobros han pagado del Préstamo hasta el día. El enganche no está incluido. Lo que después se debe devolver al Cliente no lo reduce.',
  },
  chargeRules: {
    principal:
      'La amortización reparte el importe prestado entre los periodos. El capital de un periodo se debe desde el primer día del Préstamo y está vencido cuando vence el periodo. El capital nunca causa impuesto.',
    interest:
      'El interés crece cada día sobre el capital de este periodo y los siguientes, menos lo pagado por adelantado: saldo × tasa anual × parte del año según el conteo de días. Los tramos con distintos saldos se suman y se redondean una vez, a la mitad par. El dinero recibido un día detiene su interés desde ese día. Después de su día programado un periodo ya no causa interés.',
    fee: 'La comisión por apertura se carga en la emisión y vence con el primer periodo. Una renovación carga su propia comisión con el periodo nuevo.',
    penalty:
      'Un periodo en atraso causa interés moratorio por cada día vencido, contado desde el día siguiente a su vencimiento: lo no pagado de la base al final del día anterior, antes de impuesto y después de condonaciones, sumado por los días, × tasa moratoria anual × un día. Se redondea una vez, a la mitad par. Los días de una suspensión no cuentan.',
    late_fee: 'Se carga una vez por periodo, el día en que el periodo entra en atraso.',
    tax: 'Los cargos gravados causan impuesto: el importe del renglón × tasa de impuesto, redondeado a la mitad par. Si una condonación o un acto reduce un renglón, su impuesto lo sigue.',
    order:
      'El dinero paga los periodos en el orden de sus vencimientos, y los cargos de un periodo en este orden. El dinero para una parte de un renglón paga su impuesto en proporción.',
  },
  parameters: {
    principal: 'Importe prestado',
    term_periods: 'Periodos',
    amortisation: 'Amortización',
    level: 'Pago nivelado del plan',
    rate: 'Tasa anual',
    day_count: 'Conteo de días',
    origination_fee: 'Comisión por apertura',
    rollover_fee: 'Comisión por renovación',
    penalty_rate: 'Tasa moratoria anual',
    penalty_base: 'Base del interés moratorio',
    penalty_day: 'Un día de interés moratorio',
    tolerance_days: 'Días de tolerancia',
    tolerance: 'Remanente tolerado: hasta este importe cuenta como pagado para el atraso y el interés moratorio',
    penalty_ceiling_days: 'El interés moratorio termina tras tantos días',
    penalty_ceiling_bps: 'Interés moratorio de todo el Préstamo, como máximo, en diezmilésimas del capital',
    late_fee: 'Comisión por atraso',
    tax_rate: 'Tasa de impuesto',
    taxed: 'Cargos gravados',
    charge_order: 'Orden de los cargos',
    early_money: 'Dinero anticipado',
  },
  values: {
    level_payment: 'pago nivelado, con el impuesto del interés',
    level_principal_and_interest: 'capital e interés nivelados, más impuesto',
    equal_principal: 'capital igual',
    actual_360: 'días reales / 360',
    actual_365: 'días reales / 365',
    thirty_360: '30E / 360',
    actual_actual: 'real / real (ISDA)',
    overdue_principal: 'capital no pagado del periodo',
    overdue_instalment: 'capital, interés y comisión no pagados del periodo',
    reduces_principal: 'reduce el capital, el plazo se mantiene',
    shortens_term: 'reduce el capital, el plan termina antes',
    settles_next: 'paga los siguientes pagos',
  },
  partOfYear: (days) => `1/${days} de año`,
  perCent: (rate) => `${rate} %`,
  sources: {
    terms: 'Términos del Préstamo',
    restructure: 'Reestructura del Préstamo',
    product: (version) => `Producto, versión ${version}`,
    productDefault: (version) => `Valor por omisión del producto, versión ${version}`,
    market: (jurisdiction) => `Mercado ${jurisdiction}`,
    provisional: 'provisional',
    derived: 'Del conteo de días',
    plan: 'Calculado por el plan vigente',
  },
};
