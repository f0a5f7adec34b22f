/** What a fault is. */
import type { ClusterControl } from './cluster-control.ts';
import type { LenderLoad } from './lender-load.ts';

export type FaultContext = {
  readonly control: ClusterControl;
  readonly load: LenderLoad;
  /** Call it when the fault is over: recovery is measured from then. */
  readonly lifted: () => void;
};

export type Fault = {
  readonly name: string;
  /** Writes are expected to wait until the fault is lifted: only the time after it counts. */
  readonly stopsWrites?: boolean;
  /** Why this machine cannot run it. */
  readonly missing?: (control: ClusterControl) => string | undefined;
  readonly run: (context: FaultContext) => Promise<void>;
};
