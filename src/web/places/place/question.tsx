import type { Answer } from '../../../http/index.ts';
import { QuestionForm, type Question } from '../../site/forms/confirm.tsx';
import { toAnswer } from '../../site/layout/page.ts';
import type { Visit } from '../../site/visit.ts';
import { PlaceLayout, type PlaceSection } from './layout.tsx';
import type { PlaceHead } from './route.ts';

interface Asked extends Question {
  /** The path that the form is sent to. */
  readonly action: string;
}

/** A page of a place that asks a person who is signed in before it does something. */
export const placeQuestion = ({ site }: Visit, place: PlaceHead, current: PlaceSection, asked: Asked): Answer =>
  toAnswer(
    <PlaceLayout site={site} place={place} title={asked.title} current={current}>
      <QuestionForm csrf={site.visitor!.csrf} {...asked} />
    </PlaceLayout>,
  );
