// A bare Hono server with one prepared query, whose rows it sends as JSON. Its argument is the data folder. It prints
// its address.
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { serve } from "@hono/node-server";
import { Hono } from "hono";

const db = new DatabaseSync(join(process.argv[2] ?? "", "parlance.db"), { readOnly: true });
const page = db.prepare(
  `select id, title, text, translated_text as translatedText, source_language as sourceLanguage, target_language as targetLanguage,
     date, status, origin, duration_seconds as durationSeconds, audio_type as audioType, stage, error_code as error
   from transcriptions where user_id = ? and deleted_at is null order by date desc, id desc limit 20`,
);
const app = new Hono();
app.get("/history/:user", (c) => c.json({ data: page.all(c.req.param("user")) }));
serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, ({ port }) => console.log(`http://127.0.0.1:${port}`));
