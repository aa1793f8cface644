import { useLoaderData } from "@tanstack/react-router";
import { useSelector } from "@xstate/react";
import { useTranslation } from "react-i18next";
import { selectIsAvailable } from "#machines/blog-admin/generator/selectors.ts";
import { FactList } from "#src/ui/fact-list.tsx";
import { PageIntro } from "#src/ui/page.tsx";
import { Diversity } from "./diversity.tsx";
import styles from "./generator.module.css";
import type { Generator } from "./generator-actor.ts";
import { GeneratorForm } from "./generator-form.tsx";
import { Result } from "./generator-result.tsx";

/** Generation of posts by a language model, beside the blog's diversity analysis. */
export function GeneratorPage() {
  const { t } = useTranslation("blog-admin-generator");
  const generator = useLoaderData({
    strict: false,
    select: (data) => (data && "generator" in data ? data.generator : undefined),
  });
  if (generator === undefined) return null;
  return (
    <>
      <PageIntro lead={t("lead")} />
      <Setup generator={generator} />
      <div className={`stack gap-6 ${styles.columns}`}>
        <div className="stack gap-6">
          <GeneratorForm generator={generator} />
          <Result generator={generator} />
        </div>
        <Diversity generator={generator} />
      </div>
    </>
  );
}

const examples = [
  {
    name: "OpenAI",
    isLocal: false,
    lines: ["LLM_API_URL=https://api.openai.com/v1", "LLM_API_KEY=sk-…", "LLM_API_MODEL=gpt-4o-mini"],
  },
  { name: "Ollama", isLocal: true, lines: ["LLM_API_URL=http://localhost:11434/v1", "LLM_API_MODEL=llama3.1"] },
  { name: "vLLM", isLocal: true, lines: ["LLM_API_URL=http://localhost:8000/v1", "LLM_API_MODEL=Qwen/Qwen2.5-7B-Instruct"] },
];

/** Explains how to set up a language model, if none is configured. */
function Setup({ generator }: { generator: Generator }) {
  const { t } = useTranslation("blog-admin-generator");
  if (useSelector(generator, selectIsAvailable)) return null;
  return (
    <section className={`card pad-5 stack gap-4 ${styles.setup}`} aria-labelledby="generator-setup">
      <h2 id="generator-setup">{t("setup.title")}</h2>
      <p>{t("setup.text")}</p>
      <FactList
        className={`columns gap-3 ${styles.examples}`}
        facts={examples.map(({ name, isLocal, lines }) => ({
          name: isLocal ? t("setup.local", { name }) : name,
          value: <code className="code">{lines.join("\n")}</code>,
        }))}
      />
    </section>
  );
}
