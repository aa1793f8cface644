import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import * as v from "valibot";
import { describe, expect, onTestFinished, test } from "vitest";
import { openDb } from "#server/db/open.ts";
import type { Diarizer } from "#server/speech/index.ts";
import { commonChecks, createReadiness } from "#server/telemetry/readiness.ts";
import { base, post, read, settled, signUp, startTestServer, temporaryFolder, upload } from "#tests/server/harness.ts";
import { scriptedEngines, spokenWav } from "#tests/server/jobs/scripted.ts";

const silent = { error: () => {}, warn: () => {}, info: () => {}, debug: () => {} };
const token = "a token for Prometheus";
const Created = v.object({ id: v.string() });
const State = v.object({ status: v.string(), reasons: v.array(v.string()) });

/** Parses lines like `name{label="value"} 1` into values by name and labels. */
function samplesOf(text: string): Map<string, number> {
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.slice(line.lastIndexOf(" ") + 1))]));
}

async function scrape(url: string, headers: Record<string, string> = {}): Promise<Map<string, number>> {
  const answer = await fetch(`${url}/metrics`, { headers });
  expect(answer.status).toBe(200);
  return samplesOf(await answer.text());
}

describe("readiness", () => {
  // PROMISE operating: /healthz, /readyz, /metrics and traces report the state
  test("answers /readyz and /healthz for anybody when the server works", async () => {
    const { apiUrl } = await startTestServer();
    expect(await read(await fetch(`${apiUrl}/readyz`), 200, State)).toEqual({ status: "ready", reasons: [] });
    expect((await fetch(`${apiUrl}/healthz`)).status).toBe(200);
  });

  test("stays alive but reports why it isn't ready without a speech engine", async () => {
    const none = { ...scriptedEngines(), infos: () => [] };
    const { apiUrl } = await startTestServer({ engines: none });
    const { reasons } = await read(await fetch(`${apiUrl}/readyz`), 503, State);
    expect(reasons).toEqual(["No speech engine is available."]);
    expect((await fetch(`${apiUrl}/healthz`)).status).toBe(200);
  });

  test("reports a failing bucket, database and storage without paths", async () => {
    const folder = await temporaryFolder();
    const db = await openDb(folder);
    await db.destroy();
    const bucket = { ping: () => Promise.reject(new Error("S3 is gone.")) };
    const checks = commonChecks({ db, dataDir: join(folder, "gone"), canRecognize: () => true, bucket });
    expect(await createReadiness(checks, silent).reasons()).toEqual([
      "The bucket does not answer.",
      "The database does not answer.",
      "The storage can't be written.",
    ]);
  });

  test("counts a hanging check as failed, shares it between callers, and repeats it later", async () => {
    let asked = 0;
    let time = 0;
    const check = {
      complaint: "It is late.",
      holds: async () => {
        asked += 1;
        return asked > 1;
      },
    };
    const readiness = createReadiness([check], silent, () => time);
    expect(await Promise.all([readiness.reasons(), readiness.reasons()])).toEqual([["It is late."], ["It is late."]]);
    expect(asked).toBe(1);
    time = 1_000;
    expect(await readiness.reasons()).toEqual([]);
    readiness.drain();
    expect(await readiness.reasons()).toEqual(["The server is stopping."]);
  });
});

describe("metrics", () => {
  // PROMISE operating: /healthz, /readyz, /metrics and traces report the state
  test("hides metrics by default and requires their token on the API's port", async () => {
    const { apiUrl, metricsUrl } = await startTestServer();
    expect((await fetch(`${apiUrl}/metrics`)).status).toBe(404);
    expect(metricsUrl).toBeUndefined();
    const open = await startTestServer({ env: { METRICS_TOKEN: token } });
    expect((await fetch(`${open.apiUrl}/metrics`)).status).toBe(401);
    expect((await fetch(`${open.apiUrl}/metrics`, { headers: { Authorization: `Bearer ${token}x` } })).status).toBe(401);
    expect((await scrape(open.apiUrl, { Authorization: `bearer  ${token} ` })).get("parlance_ready")).toBe(1);
  });

  test("serves metrics on their own port, with the token if one is set", async () => {
    const { metricsUrl = "" } = await startTestServer({ env: { METRICS_PORT: "0", METRICS_TOKEN: token } });
    expect((await fetch(`${metricsUrl}/metrics`)).status).toBe(401);
    expect((await fetch(`${metricsUrl}/readyz`)).status).toBe(200);
    expect((await fetch(`${metricsUrl}/healthz`, { method: "POST" })).status).toBe(405);
    expect((await fetch(`${metricsUrl}/else`)).status).toBe(404);
    expect((await scrape(metricsUrl, { Authorization: `Bearer ${token}` })).size).toBeGreaterThan(20);
  });

  test("counts jobs, requests by route pattern and refusals by code without personal data", async () => {
    const server = await startTestServer({ env: { METRICS_PORT: "0" } });
    const person = await signUp(server);
    const { id } = await read(await upload(person, spokenWav(4)), 202, Created);
    await settled(person, id);
    await person.call("GET", `${base}/transcription/${crypto.randomUUID()}`);
    await fetch(`${server.apiUrl}/users/ada@example.org`);
    await post(server, "/auth/login", { email: person.email, password: "wrong horse" });
    const samples = await scrape(server.metricsUrl ?? "");
    const total = (name: string) => samples.get(name) ?? 0;
    expect(total('parlance_jobs{state="waiting"}')).toBe(0);
    expect(total('parlance_job_wait_seconds_count{task="transcribe"}')).toBe(1);
    expect(total('parlance_job_duration_seconds_count{task="transcribe",outcome="finished"}')).toBe(1);
    expect(total('parlance_speech_audio_seconds_total{engine="moonshine-tiny-en"}')).toBeCloseTo(4, 0);
    expect(total('parlance_speech_realtime_factor_count{engine="moonshine-tiny-en"}')).toBeGreaterThan(0);
    expect(total('parlance_refusals_total{code="badCredentials"}')).toBe(1);
    expect(total('parlance_engine_available{engine="Scripted"}')).toBe(1);
    expect(
      total(`parlance_http_request_duration_seconds_count{method="GET",route="${base}/transcription/:id",status="404"}`),
    ).toBe(1);
    expect(total('parlance_http_request_duration_seconds_count{method="GET",route="unmatched",status="404"}')).toBe(1);
    expect([...samples.keys()].filter((name) => name.includes(id) || name.includes("example.org"))).toEqual([]);
  });

  test("serves metrics until the last job is handed back while readiness is already off", async () => {
    const begun = Promise.withResolvers<void>();
    const end = Promise.withResolvers<never>();
    const diarizer: Diarizer = {
      isAvailable: () => true,
      voiceModel: () => undefined,
      // Ignores its abort signal, so that the worker waits for it.
      diarize: () => {
        begun.resolve();
        return end.promise;
      },
    };
    const server = await startTestServer({ env: { METRICS_PORT: "0" }, diarizer });
    const person = await signUp(server);
    await read(await upload(person, spokenWav(4), { fields: { speakers: "1" } }), 202, Created);
    await begun.promise;
    const closing = server.close();
    const [ready, metrics] = await Promise.all(["readyz", "metrics"].map((path) => fetch(`${server.metricsUrl}/${path}`)));
    end.reject(new Error("called off"));
    await closing;
    expect([ready?.status, metrics?.status]).toEqual([503, 200]);
    await expect(fetch(`${server.metricsUrl}/metrics`)).rejects.toThrow();
  });

  test("exports every metric that the Grafana dashboard uses", async () => {
    const Dashboard = v.object({
      panels: v.array(v.object({ title: v.string(), targets: v.array(v.object({ expr: v.string() })) })),
    });
    const file = readFileSync(new URL("../../../docs/run/grafana/parlance.json", import.meta.url), "utf8");
    const { panels } = v.parse(Dashboard, JSON.parse(file));
    const server = await startTestServer({ env: { METRICS_PORT: "0" } });
    const answer = await fetch(`${server.metricsUrl}/metrics`);
    const declared = new Map(
      [...(await answer.text()).matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = "", type = ""]) => [name, type]),
    );
    const wanted = panels.flatMap(({ targets }) =>
      targets.flatMap(({ expr }) => [...expr.matchAll(/\b(?:parlance|nodejs|process)_\w+/g)].map(([name]) => name)),
    );
    const isThere = (name: string) =>
      declared.has(name) || declared.get(name.replace(/_(bucket|count|sum)$/, "")) === "histogram";
    expect(wanted.length).toBeGreaterThan(15);
    expect(wanted.filter((name) => !isThere(name))).toEqual([]);
  });
});

const Value = v.object({ stringValue: v.optional(v.string()), intValue: v.optional(v.union([v.number(), v.string()])) });
const SentSpan = v.object({
  name: v.string(),
  traceId: v.string(),
  spanId: v.string(),
  parentSpanId: v.optional(v.string()),
  attributes: v.array(v.object({ key: v.string(), value: Value })),
});
const Sent = v.object({
  resourceSpans: v.array(v.object({ scopeSpans: v.array(v.object({ spans: v.array(SentSpan) })) })),
});

/** A collector that accepts OTLP over HTTP as JSON. */
async function startCollector() {
  const spans: v.InferOutput<typeof SentSpan>[] = [];
  let text = "";
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString("utf8");
      text += body;
      if (request.url === "/v1/traces") {
        const { resourceSpans } = v.parse(Sent, JSON.parse(body));
        spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)));
      }
      response.writeHead(200, { "Content-Type": "application/json" }).end("{}");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  return { url: `http://127.0.0.1:${port}`, spans, text: () => text };
}

// PROMISE operating: /healthz, /readyz, /metrics and traces report the state
test("sends traces of requests, jobs, engines and statements without personal data", async () => {
  const collector = await startCollector();
  const proxied = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, TRUST_PROXY: "1" };
  const server = await startTestServer({ env: proxied });
  const person = await signUp(server);
  const trace = "0af7651916cd43dd8448eb211c80319c";
  const headers = { traceparent: `00-${trace}-b7ad6b7169203331-01`, "X-Request-Id": "from-the-proxy-1" };
  await person.call("GET", `${base}/transcription-history?search=harbour`, undefined, headers);
  const { id } = await read(await upload(person, spokenWav(4)), 202, Created);
  const { text } = await settled(person, id);
  // Recorded spans are sent at the latest when the server stops.
  await server.close();
  const named = (name: string) => collector.spans.filter((span) => span.name === name);
  const [asked] = named(`GET ${base}/transcription-history`);
  expect(asked?.traceId).toBe(trace);
  expect(asked?.parentSpanId).toBe("b7ad6b7169203331");
  expect(collector.spans.some(({ name, parentSpanId }) => name === "SELECT" && parentSpanId === asked?.spanId)).toBe(true);
  const [job] = named("job transcribe");
  expect(named("recognize piece").map(({ parentSpanId }) => parentSpanId)).toContain(job?.spanId);
  for (const personal of [person.email, person.token, "harbour", text]) expect(collector.text()).not.toContain(personal);
});

test("keeps working when the trace collector is unreachable", async () => {
  const server = await startTestServer({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9" } });
  const person = await signUp(server);
  expect((await person.call("GET", "/users/me")).status).toBe(200);
  await server.close();
});
