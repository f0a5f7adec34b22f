/** The size of the sends of an ingress to Kafka, by its load. */
const minBatchSize = 8;
const recentSends = 8;

/**
 * How many requests one send to Kafka contains: half of the highest number that was pending recently. With all of them
 * in one batch, gateway and processor would wait for each other in turn. The current number is no measure: it is low
 * right after a batch was answered. See decision 0039.
 */
export function adaptiveBatchSize(): (pendingRequests: number) => number {
  const recent: number[] = [];
  return (pendingRequests) => {
    recent.push(pendingRequests);
    if (recent.length > recentSends) recent.shift();
    return Math.max(minBatchSize, Math.ceil(Math.max(...recent) / 2));
  };
}
