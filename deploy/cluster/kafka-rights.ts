/** Who may do what in Kafka: each service has a login of its own, and only processors write events. */
import kafkajs, { type AclEntry, type AclOperationTypes } from 'kafkajs';
import { topics } from '#libs/kafka/topics.ts';

const kjs = kafkajs;

type Right = Extract<
  keyof typeof AclOperationTypes,
  'READ' | 'WRITE' | 'DESCRIBE' | 'CREATE' | 'DELETE' | 'DESCRIBE_CONFIGS' | 'IDEMPOTENT_WRITE'
>;

export interface KafkaRights {
  readonly usedBy: string;
  /** By the name of the topic. */
  readonly topics: Readonly<Record<string, readonly Right[]>>;
  /** On consumer groups of any name. */
  readonly groups: readonly Right[];
}

const consumerGroups: readonly Right[] = ['READ', 'DESCRIBE', 'DELETE'];
const created: readonly Right[] = ['READ', 'DESCRIBE', 'CREATE', 'DESCRIBE_CONFIGS'];

/** By login. docs/operations/secrets.md lists them. */
export const kafkaRights = {
  gateway: { usedBy: 'gateway, ingress', topics: { [topics.submissions]: ['WRITE', 'DESCRIBE'] }, groups: [] },
  console: {
    usedBy: 'console',
    topics: {
      [topics.submissions]: ['WRITE', 'DESCRIBE'],
      [topics.bookEvents]: ['READ', 'DESCRIBE'],
      [topics.parked]: ['DESCRIBE'],
      [topics.movements]: ['DESCRIBE'],
    },
    groups: consumerGroups,
  },
  processor: {
    usedBy: 'processor',
    topics: {
      [topics.submissions]: ['READ', 'DESCRIBE'],
      [topics.bookEvents]: ['READ', 'WRITE', 'DESCRIBE'],
      [topics.parked]: ['WRITE', 'DESCRIBE'],
      [topics.movements]: ['READ', 'WRITE', 'DESCRIBE'],
    },
    groups: consumerGroups,
  },
  operator: {
    usedBy: '`prepare` and the other commands of an operator',
    topics: {
      [topics.submissions]: [...created, 'WRITE'],
      // `topic repair` removes the records of a partition; its processor writes them again.
      [topics.bookEvents]: [...created, 'DELETE'],
      [topics.parked]: [...created, 'WRITE'],
      // `rebuild --movements` removes the records, and the processors write them again.
      [topics.movements]: [...created, 'DELETE'],
    },
    groups: consumerGroups,
  },
} as const satisfies Readonly<Record<string, KafkaRights>>;

export type KafkaLogin = keyof typeof kafkaRights;

export function aclEntries(): AclEntry[] {
  const { TOPIC, GROUP, CLUSTER } = kjs.AclResourceTypes;
  return Object.entries<KafkaRights>(kafkaRights).flatMap(([login, rights]) => {
    const allow = (resourceType: number, resourceName: string, allowed: readonly Right[]): AclEntry[] =>
      allowed.map((right) => ({
        principal: `User:${login}`,
        host: '*',
        permissionType: kjs.AclPermissionTypes.ALLOW,
        resourcePatternType: kjs.ResourcePatternTypes.LITERAL,
        resourceType,
        resourceName,
        operation: kjs.AclOperationTypes[right],
      }));
    return [
      ...Object.entries(rights.topics).flatMap(([topic, allowed]) => allow(TOPIC, topic, allowed)),
      ...allow(GROUP, '*', rights.groups),
      ...allow(CLUSTER, 'kafka-cluster', ['DESCRIBE', 'IDEMPOTENT_WRITE']),
    ];
  });
}
