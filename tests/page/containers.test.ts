import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { tools } from "#scripts/tools.mjs";
import { variables } from "#server/config/environment.ts";

const root = join(import.meta.dirname, "../..");
const read = (path: string) => readFileSync(join(root, path), "utf8");

const Environment = v.record(v.string(), v.string());
const Service = v.looseObject({
  environment: Environment,
  volumes: v.array(v.string()),
  read_only: v.optional(v.boolean()),
  cap_drop: v.optional(v.array(v.string())),
  security_opt: v.optional(v.array(v.string())),
  healthcheck: v.optional(v.looseObject({ test: v.array(v.string()) })),
  depends_on: v.optional(v.record(v.string(), v.object({ condition: v.string() }))),
});
const Compose = v.looseObject({
  services: v.record(v.string(), Service),
  volumes: v.record(v.string(), v.nullable(v.unknown())),
});

const compose = v.parse(Compose, parse(read("compose.yaml"), { merge: true }));
const known = new Set(variables.map(({ name }) => name));
const dockerfile = read("Dockerfile");

test("installs in the image the same system tools that npm start installs", () => {
  const wanted = tools.filter(({ when }) => when !== "testing").flatMap(({ packages }) => packages);
  const runs = dockerfile
    .slice(dockerfile.lastIndexOf("\nFROM "))
    .match(/apt-get install -y --no-install-recommends ([^&]+)/)?.[1];
  expect(runs?.trim().split(" ").sort()).toEqual(["ca-certificates", ...wanted].sort());
});

// PROMISE operating: Containers and systemd units run without root and write only to their folder
test("copies and starts existing files in the image, and not as root", () => {
  const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, sources = ""]) => sources.split(" "));
  expect(copied.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  const command = v.parse(v.array(v.string()), JSON.parse(/^CMD (\[.+\])$/m.exec(dockerfile)?.[1] ?? ""));
  expect(existsSync(join(root, command.at(-1) ?? ""))).toBe(true);
  expect(dockerfile).toMatch(/^USER \d+$/m);
  expect(dockerfile).toMatch(/^HEALTHCHECK /m);
  // Files in .dockerignore are neither copied nor started.
  const ignored = read(".dockerignore").trim().split("\n");
  expect(ignored.filter((path) => copied.includes(path))).toEqual([]);
});

test("gives services in compose.yaml only variables that the server reads, volumes to write, and a wait for the database", () => {
  for (const name of ["api", "worker"]) {
    const service = compose.services[name];
    expect(Object.keys(service?.environment ?? {}).filter((variable) => !known.has(variable))).toEqual([]);
    expect(service).toMatchObject({ read_only: true, cap_drop: ["ALL"], security_opt: ["no-new-privileges:true"] });
    expect(service?.environment).toMatchObject({ PARLANCE_ROLE: name, PARLANCE_DATA: "/data" });
    expect(service?.depends_on).toEqual({ postgres: { condition: "service_healthy" } });
  }
  expect(compose.services.postgres?.healthcheck).toBeDefined();
  const named = Object.values(compose.services).flatMap(({ volumes }) => volumes.map((volume) => volume.split(":")[0]));
  expect([...new Set(named)].sort()).toEqual(Object.keys(compose.volumes).sort());
});

// PROMISE operating: Containers and systemd units run without root and write only to their folder
test.each(["parlance.service", "parlance-worker@.service"])(
  "starts existing programs with %s, which may write only into its folder",
  (name) => {
    const unit = read(`docs/run/systemd/${name}`);
    const [, program = ""] = /^ExecStart=\/opt\/parlance\/node_modules\/\.bin\/node .* (server\/\S+\.ts)/m.exec(unit) ?? [];
    expect(existsSync(join(root, program))).toBe(true);
    for (const line of ["ProtectSystem=strict", "NoNewPrivileges=yes", "StateDirectory=parlance"])
      expect(unit.split("\n")).toContain(line);
    expect(unit).toMatch(/^Environment=.*PARLANCE_DATA=\/var\/lib\/parlance$/m);
  },
);
