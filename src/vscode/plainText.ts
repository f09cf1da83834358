export { plainLine, plainLines } from '../core/plainText';
