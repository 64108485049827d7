/** What columns of published series are called, and what each is taken for. */
import { describe, expect, it } from 'vitest';
import { createTable } from '../base/table.ts';
import { seriesToWords } from './series.ts';
import { columnToKind, isMarkColumn, isRowName, isTimeColumn, timeUnitOf } from './series-columns.ts';
import { textToSeries } from './series-file.ts';

const latencies =
  'rttms RTTms RTTMs rtt_ms rtt(ms) rtt srtt avgrtt minRTT latency latencyms latency_us lat latms lat_ns p99 p99ms P99Ms p99.9 p50_latency q95 ' +
  'ttft ttftms TTFTms TTFT_ms ttfb tpot itl e2e e2e_ms e2ems responsetime response_time responseTimeMs servicetime svc_time waitms wait wait_time ' +
  'lagms consumer_lag_ms age checkpoint_age median meanms avg_ms avgms maxms durationMs duration delay delayus jitter ping pingms elapsed ms ' +
  'seconds ms/op ns/op seconds_per_request recoverytime recovery_time_s roundtrip round_trip_time mttr queryms reqms';
const rates =
  'rps RPS qps tps ops iops readiops fps kbps Mbps MBps MB/s kB/s req/s reqs/sec requests/second requests_per_second requestspersecond reqpersec ' +
  'opsPerSec ops_per_ms requests_per_ms tokens_per_s tok/s throughput throughput_ms goodput bandwidth rate arrival_rate hitrate success_rate per_minute hz';
const bad = createTable({
  rate: 'error_rate errorrate errors_per_second errorsPerSec failure_rate dropped_per_s loss_rate retry_rate retries/s miss_rate',
  count:
    'errors err failures failed timeouts timed_out drops aborts rejected retries retry_count RetryCount misses 5xx duplicates',
  share: 'error_pct loss_percent miss_ratio failures(%)',
  depth: 'queue queue_depth queueLength backlog pending inflight in_flight',
  resource: 'cpu cpu_percent cpu_ms memory memory_mb rss heap_utilization',
  unknown: 'lag replication_lag consumer_lag',
});
const unknown = 'requests completed items streams status transactions tokens score attempts https connections';

/** Units that names tell, and that of those that tell none. */
const units = createTable({
  ns: 'lat_ns ns/op',
  us: 'latency_us delayus',
  ms: 'rttms RTTMs rtt(ms) p99ms TTFT_ms responseTimeMs ms/op cpu_ms',
  s: 'seconds recovery_time_s seconds_per_request checkpoint_age_s',
  'a second':
    'rps RPS qps iops req/s requests/second requests_per_second requestspersecond opsPerSec tok/s hz errors_per_second retries/s',
  'a millisecond': 'ops_per_ms',
  'a minute': 'per_minute',
  'an hour': 'requests_per_hour',
  kbps: 'kbps',
  'MB/s': 'MB/s',
  '%': 'cpu_percent CPU(%) loss_pct',
  'part of one': 'miss_ratio',
  mb: 'memory_mb',
  bytes: 'rss_bytes',
  '': 'latency p99 rtt throughput rate error_rate errors retry_count queue_depth cpu memory lag items requests',
});

function each(names: string): readonly string[] {
  return names.split(' ');
}

describe('columns of measurements', () => {
  it.each(each(latencies))('R95 "%s": less is better, a latency by its name', (name) => {
    expect(columnToKind(name)).toMatchObject({
      kind: 'latency',
      better: 'low',
      why: expect.stringContaining('a latency by'),
    });
  });

  it.each(each(rates))('R95 "%s": more is better, a rate by its name', (name) => {
    expect(columnToKind(name)).toMatchObject({
      kind: 'rate',
      better: 'high',
      why: expect.stringContaining('a rate by its name'),
    });
  });

  it.each(Object.entries(bad).flatMap(([kind, names]) => each(names).map((name) => [name, kind] as const)))(
    'R95 R99 "%s": less is better, and it is no latency but of kind %s',
    (name, kind) => {
      expect(columnToKind(name)).toMatchObject({ kind, better: 'low' });
    },
  );

  it.each(each(unknown))('R95 "%s" tells nothing, and that is said', (name) => {
    expect(columnToKind(name)).toMatchObject({
      ...{ kind: 'unknown', better: 'high', unit: undefined },
      why: expect.stringContaining('read as if more were better'),
    });
  });

  it.each(Object.entries(units).flatMap(([unit, names]) => each(names).map((name) => [name, unit] as const)))(
    'R95 the unit of "%s" is "%s", and none is made up',
    (name, unit) => {
      expect(columnToKind(name).unit ?? '').toBe(unit);
    },
  );

  it('R95 what is shown of a series names its kind, its unit and the better side', () => {
    const words = (name: string): string => seriesToWords(columnToKind(name));
    expect(words('queue_depth')).toBe('a number of what waits, unit not told; less is better');
    expect(words('rtt_ms')).toBe('a latency, unit ms; less is better');
    expect(words('retry_count')).toBe('a count, unit not told; less is better');
    expect(words('rps')).toBe('a rate, unit a second; more is better');
    expect(words('lag')).toBe('of unknown kind, unit not told; less is better');
    expect(words('items')).toBe('of unknown kind, unit not told; read as if more were better');
  });
});

describe('columns of times', () => {
  it.each<readonly [string, number, string]>([
    ['t', 12, 's'],
    ['time', 12, 's'],
    ['at', 12, 's'],
    ['ts', 12, 's'],
    ['seconds', 12, 's'],
    ['time (s)', 12, 's'],
    ['elapsed_seconds', 12, 's'],
    ['ms', 12, 'ms'],
    ['tms', 12, 'ms'],
    ['t_ms', 12, 'ms'],
    ['timeMs', 12, 'ms'],
    ['timems', 12, 'ms'],
    ['Time [ms]', 12, 'ms'],
    ['time_msec', 12, 'ms'],
    ['elapsed_ms', 12, 'ms'],
    ['timestamp_us', 12, 'us'],
    ['time (µs)', 12, 'us'],
    ['ts_ns', 12, 'ns'],
    ['minutes', 12, 'min'],
    ['time_min', 12, 'min'],
    ['timestamp', 1_790_000_000, 's'],
    ['timestamp', 1_790_000_000_000, 'ms'],
    ['ts', 1_790_000_000_000_000, 'us'],
    ['epoch', 1.79e18, 'ns'],
    ['date', 0, 's'],
    ['datetime', 0, 's'],
  ])('R96 "%s" with numbers such as %d is a time in %s', (name, greatest, unit) => {
    expect([isTimeColumn(name), timeUnitOf(name, greatest)]).toEqual([true, unit]);
  });

  it.each(['latency_ms', 'response_time', 'rate', 'rttms', 'items', 'status', 'attempts', 'data', 'runs'])(
    '"%s" is none',
    (name) => {
      expect(isTimeColumn(name)).toBe(false);
    },
  );

  it('a number of milliseconds since 1970 under a name without a unit is read as such, and the unit is told', () => {
    const rows = [0, 1, 2, 3].map((n) => `${String(1_790_000_000_000 + n * 1000)},5`);
    const read = textToSeries('a.csv', `timestamp,rttms\n${rows.join('\n')}`);
    const [series] = read.ok ? read.value : [];
    expect(series?.points.map(({ at }) => at - 1_790_000_000_000)).toEqual([0, 1000, 2000, 3000]);
    expect([series?.kind, series?.basis]).toEqual(['latency', expect.stringContaining('times from "timestamp" in ms')]);
  });
});

describe('columns beside them', () => {
  it.each(['fault', 'faults', 'kill', 'Fault Label', 'faultType', 'injected', 'is_fault', 'marker', 'event', 'crash'])(
    '"%s" marks faults',
    (name) => {
      expect(isMarkColumn(name)).toBe(true);
    },
  );

  it.each(['id', 'row', 'Index', 'seq', 'ordinal'])('"%s" names a row', (name) => {
    expect(isRowName(name)).toBe(true);
  });
});
