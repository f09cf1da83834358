import { TEXT_LIMIT, type CutText } from '../../shared/webviewProtocol';

/** A text as it crosses to the panel: cut by code points, with what all of it holds. */
export function cutText(text: string): CutText {
  const points = [...text];
  return {
    text: points.length > TEXT_LIMIT ? points.slice(0, TEXT_LIMIT).join('') : text,
    length: points.length,
    lines: text === '' ? 0 : text.split('\n').length,
  };
}
