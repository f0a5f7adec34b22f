/** The connections of the cluster that pass a proxy: those of callers to servers, and those between servers. */
import { brokerLinkAddress } from './kafka-brokers.ts';
import { brokerNames, type ClusterLayout, partedService, postgresNames } from './layout.ts';

export type ProxyRoute = {
  /** A route is cut while one of these two is isolated. */
  readonly from: string;
  readonly to: string;
  readonly host: string;
  readonly port: number;
  /** The server's port on this machine. Undefined for the route that leads to the current primary. */
  readonly target?: number;
};

export type ProxyConfiguration = {
  readonly controlPort: number;
  readonly caFile: string;
  readonly routes: readonly ProxyRoute[];
  /** Where Patroni says whether its server is the primary, and the port that leads to that server. */
  readonly postgres: readonly { readonly patroniPort: number; readonly port: number }[];
};

const loopback = '127.0.0.1';

export function proxyConfiguration({ ports, authority }: ClusterLayout): ProxyConfiguration {
  const fromCallers = [...brokerNames, ...postgresNames, 'redis-1', 'registry'] as const;
  const links = brokerNames.flatMap((from) => brokerNames.filter((to) => to !== from).map((to) => ({ from, to })));
  return {
    controlPort: ports['proxies.control'],
    caFile: authority.file,
    routes: [
      ...fromCallers.map((to) => ({
        from: 'callers',
        to,
        host: loopback,
        port: ports[`${to}.proxy`],
        target: ports[to],
      })),
      ...brokerNames.map((to) => ({
        from: partedService,
        to,
        host: loopback,
        port: ports[`${to}.parted-proxy`],
        target: ports[`${to}.parted`],
      })),
      ...postgresNames.map((from) => ({
        from,
        to: 'etcd',
        host: loopback,
        port: ports[`${from}.etcd-proxy`],
        target: ports.etcd,
      })),
      ...links.flatMap(({ from, to }) =>
        (['broker', 'controller'] as const).map((listener) => ({
          from,
          to,
          host: brokerLinkAddress(from, to),
          port: ports[`${to}.${listener}`],
          target: ports[`${to}.${listener}`],
        })),
      ),
      { from: 'callers', to: 'primary', host: loopback, port: ports['primary.proxy'] },
    ],
    postgres: postgresNames.map((name) => ({ patroniPort: ports[`${name}.patroni`], port: ports[`${name}.proxy`] })),
  };
}
