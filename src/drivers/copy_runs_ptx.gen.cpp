// SPDX-License-Identifier: Apache-2.0
// Written by tools/gen_ptx.py: do not edit. SHA-256 of its sources:
// 1c8b987cbcfc6497135e04ec4b036e3d73a370778459ce5a812b98ac62e60234
#include "drivers/copy_runs_ptx.hpp"

namespace aureole::drivers {

const char* const copy_runs_ptx = R"ptx(
.version 6.0
.target sm_50
.address_size 64
.visible .entry aureole_copy_runs(
.param .align 8 .b8 aureole_copy_runs_param_0[72]
)
{
.reg .pred %p<247>;
.reg .b16 %rs<42>;
.reg .b32 %r<144>;
.reg .b64 %rd<744>;
ld.param.v4.u8 {%rs7, %rs8, %rs9, %rs10}, [aureole_copy_runs_param_0+68];
ld.param.u32 %r16, [aureole_copy_runs_param_0+64];
ld.param.u64 %rd268, [aureole_copy_runs_param_0+56];
ld.param.u64 %rd267, [aureole_copy_runs_param_0+48];
ld.param.u64 %rd266, [aureole_copy_runs_param_0+40];
ld.param.u64 %rd265, [aureole_copy_runs_param_0+32];
ld.param.u64 %rd264, [aureole_copy_runs_param_0+24];
ld.param.u64 %rd263, [aureole_copy_runs_param_0+16];
ld.param.u64 %rd262, [aureole_copy_runs_param_0+8];
ld.param.u64 %rd261, [aureole_copy_runs_param_0];
cvta.to.global.u64 %rd1, %rd261;
cvta.to.global.u64 %rd3, %rd263;
cvta.to.global.u64 %rd4, %rd264;
mov.u32 %r17, %ctaid.x;
mov.u32 %r18, %ntid.x;
mul.wide.u32 %rd269, %r17, %r18;
mov.u32 %r19, %tid.x;
cvt.u64.u32 %rd270, %r19;
add.s64 %rd5, %rd269, %rd270;
mov.u32 %r20, %nctaid.x;
mul.wide.u32 %rd6, %r20, %r18;
cvt.s64.s32 %rd7, %r16;
or.b64 %rd271, %rd268, %rd7;
and.b64 %rd272, %rd271, -4294967296;
setp.eq.s64 %p1, %rd272, 0;
@%p1 bra $L__BB0_2;
div.s64 %rd643, %rd268, %rd7;
bra.uni $L__BB0_3;
$L__BB0_2:
cvt.u32.u64 %r21, %rd7;
cvt.u32.u64 %r22, %rd268;
div.u32 %r23, %r22, %r21;
cvt.u64.u32 %rd643, %r23;
$L__BB0_3:
cvt.u32.u64 %r25, %rd7;
add.s32 %r26, %r25, -2;
shf.l.wrap.b32 %r24, %r26, %r26, 31;
add.s64 %rd15, %rd1, 8;
setp.gt.s32 %p2, %r24, 2;
@%p2 bra $L__BB0_13;
setp.eq.s32 %p5, %r24, 0;
@%p5 bra $L__BB0_131;
setp.eq.s32 %p6, %r24, 1;
@%p6 bra $L__BB0_6;
bra.uni $L__BB0_172;
$L__BB0_6:
setp.ge.s64 %p103, %rd5, %rd643;
@%p103 bra $L__BB0_213;
setp.gt.s64 %p104, %rd262, 1;
@%p104 bra $L__BB0_117;
bra.uni $L__BB0_8;
$L__BB0_117:
mov.u64 %rd703, -1;
cvt.u32.u64 %r93, %rd265;
$L__BB0_118:
shl.b64 %rd468, %rd5, 2;
add.s64 %rd146, %rd468, %rd267;
setp.lt.s64 %p134, %rd146, %rd265;
mov.u64 %rd698, 0;
@%p134 bra $L__BB0_122;
or.b64 %rd469, %rd146, %rd265;
and.b64 %rd470, %rd469, -4294967296;
setp.eq.s64 %p135, %rd470, 0;
@%p135 bra $L__BB0_121;
div.s64 %rd698, %rd146, %rd265;
bra.uni $L__BB0_122;
$L__BB0_121:
cvt.u32.u64 %r94, %rd146;
div.u32 %r95, %r94, %r93;
cvt.u64.u32 %rd698, %r95;
$L__BB0_122:
mul.lo.s64 %rd471, %rd698, %rd265;
sub.s64 %rd150, %rd146, %rd471;
setp.ge.s64 %p136, %rd703, %rd262;
setp.lt.s64 %p137, %rd703, 0;
or.pred %p138, %p136, %p137;
@%p138 bra $L__BB0_127;
mov.u32 %r137, 1;
$L__BB0_124:
shl.b64 %rd472, %rd703, 4;
add.s64 %rd473, %rd1, %rd472;
add.s64 %rd152, %rd473, 8;
ld.global.u64 %rd702, [%rd473+8];
setp.gt.s64 %p139, %rd702, %rd150;
@%p139 bra $L__BB0_126;
ld.global.u64 %rd474, [%rd152+16];
setp.gt.s64 %p140, %rd474, %rd150;
@%p140 bra $L__BB0_130;
$L__BB0_126:
add.s64 %rd154, %rd703, 1;
setp.gt.s64 %p141, %rd703, -2;
setp.lt.u32 %p142, %r137, 2;
mov.u32 %r137, 2;
and.pred %p143, %p141, %p142;
setp.lt.s64 %p144, %rd154, %rd262;
and.pred %p145, %p144, %p143;
mov.u64 %rd703, %rd154;
@%p145 bra $L__BB0_124;
$L__BB0_127:
mov.u64 %rd703, 0;
mov.u64 %rd700, %rd262;
$L__BB0_128:
add.s64 %rd476, %rd700, %rd703;
shr.u64 %rd477, %rd476, 63;
add.s64 %rd478, %rd476, %rd477;
shr.s64 %rd479, %rd478, 1;
shl.b64 %rd480, %rd479, 4;
add.s64 %rd481, %rd1, %rd480;
ld.global.u64 %rd482, [%rd481+8];
setp.le.s64 %p146, %rd482, %rd150;
selp.b64 %rd703, %rd479, %rd703, %p146;
selp.b64 %rd700, %rd700, %rd479, %p146;
sub.s64 %rd483, %rd700, %rd703;
setp.gt.s64 %p147, %rd483, 1;
@%p147 bra $L__BB0_128;
shl.b64 %rd484, %rd703, 4;
add.s64 %rd485, %rd1, %rd484;
ld.global.u64 %rd702, [%rd485+8];
$L__BB0_130:
mul.lo.s64 %rd486, %rd698, %rd266;
add.s64 %rd487, %rd150, %rd486;
shl.b64 %rd488, %rd703, 4;
add.s64 %rd489, %rd1, %rd488;
ld.global.u64 %rd490, [%rd489];
add.s64 %rd491, %rd487, %rd490;
sub.s64 %rd492, %rd491, %rd702;
add.s64 %rd493, %rd3, %rd492;
setp.eq.s16 %p148, %rs8, 0;
selp.b64 %rd494, %rd146, %rd492, %p148;
add.s64 %rd495, %rd4, %rd494;
setp.eq.s16 %p149, %rs7, 0;
selp.b64 %rd496, %rd495, %rd493, %p149;
ld.global.u32 %r98, [%rd496];
selp.b64 %rd497, %rd493, %rd495, %p149;
st.global.u32 [%rd497], %r98;
add.s64 %rd5, %rd5, %rd6;
setp.lt.s64 %p150, %rd5, %rd643;
@%p150 bra $L__BB0_118;
bra.uni $L__BB0_213;
$L__BB0_13:
setp.eq.s32 %p3, %r24, 3;
@%p3 bra $L__BB0_56;
setp.ne.s32 %p4, %r24, 7;
@%p4 bra $L__BB0_172;
setp.ge.s64 %p7, %rd5, %rd643;
@%p7 bra $L__BB0_213;
setp.gt.s64 %p8, %rd262, 1;
@%p8 bra $L__BB0_42;
bra.uni $L__BB0_17;
$L__BB0_42:
mov.u64 %rd663, -1;
cvt.u32.u64 %r53, %rd265;
$L__BB0_43:
shl.b64 %rd317, %rd5, 4;
add.s64 %rd48, %rd317, %rd267;
setp.lt.s64 %p38, %rd48, %rd265;
mov.u64 %rd658, 0;
@%p38 bra $L__BB0_47;
or.b64 %rd318, %rd48, %rd265;
and.b64 %rd319, %rd318, -4294967296;
setp.eq.s64 %p39, %rd319, 0;
@%p39 bra $L__BB0_46;
div.s64 %rd658, %rd48, %rd265;
bra.uni $L__BB0_47;
$L__BB0_46:
cvt.u32.u64 %r54, %rd48;
div.u32 %r55, %r54, %r53;
cvt.u64.u32 %rd658, %r55;
$L__BB0_47:
mul.lo.s64 %rd320, %rd658, %rd265;
sub.s64 %rd52, %rd48, %rd320;
setp.ge.s64 %p40, %rd663, %rd262;
setp.lt.s64 %p41, %rd663, 0;
or.pred %p42, %p40, %p41;
@%p42 bra $L__BB0_52;
mov.u32 %r131, 1;
$L__BB0_49:
shl.b64 %rd321, %rd663, 4;
add.s64 %rd322, %rd1, %rd321;
add.s64 %rd54, %rd322, 8;
ld.global.u64 %rd662, [%rd322+8];
setp.gt.s64 %p43, %rd662, %rd52;
@%p43 bra $L__BB0_51;
ld.global.u64 %rd323, [%rd54+16];
setp.gt.s64 %p44, %rd323, %rd52;
@%p44 bra $L__BB0_55;
$L__BB0_51:
add.s64 %rd56, %rd663, 1;
setp.gt.s64 %p45, %rd663, -2;
setp.lt.u32 %p46, %r131, 2;
mov.u32 %r131, 2;
and.pred %p47, %p45, %p46;
setp.lt.s64 %p48, %rd56, %rd262;
and.pred %p49, %p48, %p47;
mov.u64 %rd663, %rd56;
@%p49 bra $L__BB0_49;
$L__BB0_52:
mov.u64 %rd663, 0;
mov.u64 %rd660, %rd262;
$L__BB0_53:
add.s64 %rd325, %rd660, %rd663;
shr.u64 %rd326, %rd325, 63;
add.s64 %rd327, %rd325, %rd326;
shr.s64 %rd328, %rd327, 1;
shl.b64 %rd329, %rd328, 4;
add.s64 %rd330, %rd1, %rd329;
ld.global.u64 %rd331, [%rd330+8];
setp.le.s64 %p50, %rd331, %rd52;
selp.b64 %rd663, %rd328, %rd663, %p50;
selp.b64 %rd660, %rd660, %rd328, %p50;
sub.s64 %rd332, %rd660, %rd663;
setp.gt.s64 %p51, %rd332, 1;
@%p51 bra $L__BB0_53;
shl.b64 %rd333, %rd663, 4;
add.s64 %rd334, %rd1, %rd333;
ld.global.u64 %rd662, [%rd334+8];
$L__BB0_55:
mul.lo.s64 %rd335, %rd658, %rd266;
add.s64 %rd336, %rd52, %rd335;
shl.b64 %rd337, %rd663, 4;
add.s64 %rd338, %rd1, %rd337;
ld.global.u64 %rd339, [%rd338];
add.s64 %rd340, %rd336, %rd339;
sub.s64 %rd341, %rd340, %rd662;
add.s64 %rd342, %rd3, %rd341;
setp.eq.s16 %p52, %rs8, 0;
selp.b64 %rd343, %rd48, %rd341, %p52;
add.s64 %rd344, %rd4, %rd343;
setp.eq.s16 %p53, %rs7, 0;
selp.b64 %rd345, %rd342, %rd344, %p53;
selp.b64 %rd346, %rd344, %rd342, %p53;
ld.global.v4.u32 {%r58, %r59, %r60, %r61}, [%rd346];
st.global.v4.u32 [%rd345], {%r58, %r59, %r60, %r61};
add.s64 %rd5, %rd5, %rd6;
setp.lt.s64 %p54, %rd5, %rd643;
@%p54 bra $L__BB0_43;
bra.uni $L__BB0_213;
$L__BB0_131:
setp.ge.s64 %p151, %rd5, %rd643;
@%p151 bra $L__BB0_213;
setp.gt.s64 %p152, %rd262, 1;
@%p152 bra $L__BB0_158;
bra.uni $L__BB0_133;
$L__BB0_158:
mov.u64 %rd723, -1;
cvt.u32.u64 %r109, %rd265;
$L__BB0_159:
shl.b64 %rd542, %rd5, 1;
add.s64 %rd195, %rd542, %rd267;
setp.lt.s64 %p182, %rd195, %rd265;
mov.u64 %rd718, 0;
@%p182 bra $L__BB0_163;
or.b64 %rd543, %rd195, %rd265;
and.b64 %rd544, %rd543, -4294967296;
setp.eq.s64 %p183, %rd544, 0;
@%p183 bra $L__BB0_162;
div.s64 %rd718, %rd195, %rd265;
bra.uni $L__BB0_163;
$L__BB0_162:
cvt.u32.u64 %r110, %rd195;
div.u32 %r111, %r110, %r109;
cvt.u64.u32 %rd718, %r111;
$L__BB0_163:
mul.lo.s64 %rd545, %rd718, %rd265;
sub.s64 %rd199, %rd195, %rd545;
setp.ge.s64 %p184, %rd723, %rd262;
setp.lt.s64 %p185, %rd723, 0;
or.pred %p186, %p184, %p185;
@%p186 bra $L__BB0_168;
mov.u32 %r140, 1;
$L__BB0_165:
shl.b64 %rd546, %rd723, 4;
add.s64 %rd547, %rd1, %rd546;
add.s64 %rd201, %rd547, 8;
ld.global.u64 %rd722, [%rd547+8];
setp.gt.s64 %p187, %rd722, %rd199;
@%p187 bra $L__BB0_167;
ld.global.u64 %rd548, [%rd201+16];
setp.gt.s64 %p188, %rd548, %rd199;
@%p188 bra $L__BB0_171;
$L__BB0_167:
add.s64 %rd203, %rd723, 1;
setp.gt.s64 %p189, %rd723, -2;
setp.lt.u32 %p190, %r140, 2;
mov.u32 %r140, 2;
and.pred %p191, %p189, %p190;
setp.lt.s64 %p192, %rd203, %rd262;
and.pred %p193, %p192, %p191;
mov.u64 %rd723, %rd203;
@%p193 bra $L__BB0_165;
$L__BB0_168:
mov.u64 %rd723, 0;
mov.u64 %rd720, %rd262;
$L__BB0_169:
add.s64 %rd550, %rd720, %rd723;
shr.u64 %rd551, %rd550, 63;
add.s64 %rd552, %rd550, %rd551;
shr.s64 %rd553, %rd552, 1;
shl.b64 %rd554, %rd553, 4;
add.s64 %rd555, %rd1, %rd554;
ld.global.u64 %rd556, [%rd555+8];
setp.le.s64 %p194, %rd556, %rd199;
selp.b64 %rd723, %rd553, %rd723, %p194;
selp.b64 %rd720, %rd720, %rd553, %p194;
sub.s64 %rd557, %rd720, %rd723;
setp.gt.s64 %p195, %rd557, 1;
@%p195 bra $L__BB0_169;
shl.b64 %rd558, %rd723, 4;
add.s64 %rd559, %rd1, %rd558;
ld.global.u64 %rd722, [%rd559+8];
$L__BB0_171:
mul.lo.s64 %rd560, %rd718, %rd266;
add.s64 %rd561, %rd199, %rd560;
shl.b64 %rd562, %rd723, 4;
add.s64 %rd563, %rd1, %rd562;
ld.global.u64 %rd564, [%rd563];
add.s64 %rd565, %rd561, %rd564;
sub.s64 %rd566, %rd565, %rd722;
add.s64 %rd567, %rd3, %rd566;
setp.eq.s16 %p196, %rs8, 0;
selp.b64 %rd568, %rd195, %rd566, %p196;
add.s64 %rd569, %rd4, %rd568;
setp.eq.s16 %p197, %rs7, 0;
selp.b64 %rd570, %rd569, %rd567, %p197;
ld.global.u16 %rs33, [%rd570];
selp.b64 %rd571, %rd567, %rd569, %p197;
st.global.u16 [%rd571], %rs33;
add.s64 %rd5, %rd5, %rd6;
setp.lt.s64 %p198, %rd5, %rd643;
@%p198 bra $L__BB0_159;
bra.uni $L__BB0_213;
$L__BB0_56:
setp.ge.s64 %p55, %rd5, %rd643;
@%p55 bra $L__BB0_213;
setp.gt.s64 %p56, %rd262, 1;
@%p56 bra $L__BB0_83;
bra.uni $L__BB0_58;
$L__BB0_83:
mov.u64 %rd683, -1;
cvt.u32.u64 %r76, %rd265;
$L__BB0_84:
shl.b64 %rd393, %rd5, 3;
add.s64 %rd97, %rd393, %rd267;
setp.lt.s64 %p86, %rd97, %rd265;
mov.u64 %rd678, 0;
@%p86 bra $L__BB0_88;
or.b64 %rd394, %rd97, %rd265;
and.b64 %rd395, %rd394, -4294967296;
setp.eq.s64 %p87, %rd395, 0;
@%p87 bra $L__BB0_87;
div.s64 %rd678, %rd97, %rd265;
bra.uni $L__BB0_88;
$L__BB0_87:
cvt.u32.u64 %r77, %rd97;
div.u32 %r78, %r77, %r76;
cvt.u64.u32 %rd678, %r78;
$L__BB0_88:
mul.lo.s64 %rd396, %rd678, %rd265;
sub.s64 %rd101, %rd97, %rd396;
setp.ge.s64 %p88, %rd683, %rd262;
setp.lt.s64 %p89, %rd683, 0;
or.pred %p90, %p88, %p89;
@%p90 bra $L__BB0_93;
mov.u32 %r134, 1;
$L__BB0_90:
shl.b64 %rd397, %rd683, 4;
add.s64 %rd398, %rd1, %rd397;
add.s64 %rd103, %rd398, 8;
ld.global.u64 %rd682, [%rd398+8];
setp.gt.s64 %p91, %rd682, %rd101;
@%p91 bra $L__BB0_92;
ld.global.u64 %rd399, [%rd103+16];
setp.gt.s64 %p92, %rd399, %rd101;
@%p92 bra $L__BB0_96;
$L__BB0_92:
add.s64 %rd105, %rd683, 1;
setp.gt.s64 %p93, %rd683, -2;
setp.lt.u32 %p94, %r134, 2;
mov.u32 %r134, 2;
and.pred %p95, %p93, %p94;
setp.lt.s64 %p96, %rd105, %rd262;
and.pred %p97, %p96, %p95;
mov.u64 %rd683, %rd105;
@%p97 bra $L__BB0_90;
$L__BB0_93:
mov.u64 %rd683, 0;
mov.u64 %rd680, %rd262;
$L__BB0_94:
add.s64 %rd401, %rd680, %rd683;
shr.u64 %rd402, %rd401, 63;
add.s64 %rd403, %rd401, %rd402;
shr.s64 %rd404, %rd403, 1;
shl.b64 %rd405, %rd404, 4;
add.s64 %rd406, %rd1, %rd405;
ld.global.u64 %rd407, [%rd406+8];
setp.le.s64 %p98, %rd407, %rd101;
selp.b64 %rd683, %rd404, %rd683, %p98;
selp.b64 %rd680, %rd680, %rd404, %p98;
sub.s64 %rd408, %rd680, %rd683;
setp.gt.s64 %p99, %rd408, 1;
@%p99 bra $L__BB0_94;
shl.b64 %rd409, %rd683, 4;
add.s64 %rd410, %rd1, %rd409;
ld.global.u64 %rd682, [%rd410+8];
$L__BB0_96:
mul.lo.s64 %rd411, %rd678, %rd266;
add.s64 %rd412, %rd101, %rd411;
shl.b64 %rd413, %rd683, 4;
add.s64 %rd414, %rd1, %rd413;
ld.global.u64 %rd415, [%rd414];
add.s64 %rd416, %rd412, %rd415;
sub.s64 %rd417, %rd416, %rd682;
add.s64 %rd418, %rd3, %rd417;
setp.eq.s16 %p100, %rs8, 0;
selp.b64 %rd419, %rd97, %rd417, %p100;
add.s64 %rd420, %rd4, %rd419;
setp.eq.s16 %p101, %rs7, 0;
selp.b64 %rd421, %rd420, %rd418, %p101;
ld.global.u64 %rd422, [%rd421];
selp.b64 %rd423, %rd418, %rd420, %p101;
st.global.u64 [%rd423], %rd422;
add.s64 %rd5, %rd5, %rd6;
setp.lt.s64 %p102, %rd5, %rd643;
@%p102 bra $L__BB0_84;
bra.uni $L__BB0_213;
$L__BB0_172:
setp.ge.s64 %p199, %rd5, %rd643;
@%p199 bra $L__BB0_213;
setp.gt.s64 %p200, %rd262, 1;
@%p200 bra $L__BB0_199;
bra.uni $L__BB0_174;
$L__BB0_199:
mov.u64 %rd743, -1;
cvt.u32.u64 %r124, %rd265;
$L__BB0_200:
add.s64 %rd244, %rd5, %rd267;
setp.lt.s64 %p230, %rd244, %rd265;
mov.u64 %rd738, 0;
@%p230 bra $L__BB0_204;
or.b64 %rd614, %rd244, %rd265;
and.b64 %rd615, %rd614, -4294967296;
setp.eq.s64 %p231, %rd615, 0;
@%p231 bra $L__BB0_203;
div.s64 %rd738, %rd244, %rd265;
bra.uni $L__BB0_204;
$L__BB0_203:
cvt.u32.u64 %r125, %rd244;
div.u32 %r126, %r125, %r124;
cvt.u64.u32 %rd738, %r126;
$L__BB0_204:
mul.lo.s64 %rd616, %rd738, %rd265;
sub.s64 %rd248, %rd244, %rd616;
setp.ge.s64 %p232, %rd743, %rd262;
setp.lt.s64 %p233, %rd743, 0;
or.pred %p234, %p232, %p233;
@%p234 bra $L__BB0_209;
mov.u32 %r143, 1;
$L__BB0_206:
shl.b64 %rd617, %rd743, 4;
add.s64 %rd618, %rd1, %rd617;
add.s64 %rd250, %rd618, 8;
ld.global.u64 %rd742, [%rd618+8];
setp.gt.s64 %p235, %rd742, %rd248;
@%p235 bra $L__BB0_208;
ld.global.u64 %rd619, [%rd250+16];
setp.gt.s64 %p236, %rd619, %rd248;
@%p236 bra $L__BB0_212;
$L__BB0_208:
add.s64 %rd252, %rd743, 1;
setp.gt.s64 %p237, %rd743, -2;
setp.lt.u32 %p238, %r143, 2;
mov.u32 %r143, 2;
and.pred %p239, %p237, %p238;
setp.lt.s64 %p240, %rd252, %rd262;
and.pred %p241, %p240, %p239;
mov.u64 %rd743, %rd252;
@%p241 bra $L__BB0_206;
$L__BB0_209:
mov.u64 %rd743, 0;
mov.u64 %rd740, %rd262;
$L__BB0_210:
add.s64 %rd621, %rd740, %rd743;
shr.u64 %rd622, %rd621, 63;
add.s64 %rd623, %rd621, %rd622;
shr.s64 %rd624, %rd623, 1;
shl.b64 %rd625, %rd624, 4;
add.s64 %rd626, %rd1, %rd625;
ld.global.u64 %rd627, [%rd626+8];
setp.le.s64 %p242, %rd627, %rd248;
selp.b64 %rd743, %rd624, %rd743, %p242;
selp.b64 %rd740, %rd740, %rd624, %p242;
sub.s64 %rd628, %rd740, %rd743;
setp.gt.s64 %p243, %rd628, 1;
@%p243 bra $L__BB0_210;
shl.b64 %rd629, %rd743, 4;
add.s64 %rd630, %rd1, %rd629;
ld.global.u64 %rd742, [%rd630+8];
$L__BB0_212:
mul.lo.s64 %rd631, %rd738, %rd266;
add.s64 %rd632, %rd248, %rd631;
shl.b64 %rd633, %rd743, 4;
add.s64 %rd634, %rd1, %rd633;
ld.global.u64 %rd635, [%rd634];
add.s64 %rd636, %rd632, %rd635;
sub.s64 %rd637, %rd636, %rd742;
add.s64 %rd638, %rd3, %rd637;
setp.eq.s16 %p244, %rs8, 0;
selp.b64 %rd639, %rd244, %rd637, %p244;
add.s64 %rd640, %rd4, %rd639;
setp.eq.s16 %p245, %rs7, 0;
selp.b64 %rd641, %rd640, %rd638, %p245;
ld.global.u8 %rs41, [%rd641];
selp.b64 %rd642, %rd638, %rd640, %p245;
st.global.u8 [%rd642], %rs41;
add.s64 %rd5, %rd5, %rd6;
setp.lt.s64 %p246, %rd5, %rd643;
@%p246 bra $L__BB0_200;
bra.uni $L__BB0_213;
$L__BB0_8:
setp.eq.s16 %p105, %rs8, 0;
@%p105 bra $L__BB0_105;
mov.u64 %rd689, -1;
cvt.u32.u64 %r81, %rd265;
$L__BB0_10:
shl.b64 %rd426, %rd5, 2;
add.s64 %rd116, %rd426, %rd267;
setp.lt.s64 %p106, %rd116, %rd265;
mov.u64 %rd686, 0;
@%p106 bra $L__BB0_98;
or.b64 %rd427, %rd116, %rd265;
and.b64 %rd428, %rd427, -4294967296;
setp.eq.s64 %p107, %rd428, 0;
@%p107 bra $L__BB0_97;
div.s64 %rd686, %rd116, %rd265;
bra.uni $L__BB0_98;
$L__BB0_97:
cvt.u32.u64 %r82, %rd116;
div.u32 %r83, %r82, %r81;
cvt.u64.u32 %rd686, %r83;
$L__BB0_98:
mul.lo.s64 %rd429, %rd686, %rd265;
sub.s64 %rd120, %rd116, %rd429;
setp.ge.s64 %p108, %rd689, %rd262;
setp.lt.s64 %p109, %rd689, 0;
or.pred %p110, %p108, %p109;
@%p110 bra $L__BB0_103;
mov.u32 %r135, 1;
$L__BB0_100:
shl.b64 %rd430, %rd689, 4;
add.s64 %rd431, %rd1, %rd430;
add.s64 %rd122, %rd431, 8;
ld.global.u64 %rd688, [%rd431+8];
setp.gt.s64 %p111, %rd688, %rd120;
@%p111 bra $L__BB0_102;
ld.global.u64 %rd432, [%rd122+16];
setp.gt.s64 %p112, %rd432, %rd120;
@%p112 bra $L__BB0_104;
$L__BB0_102:
add.s64 %rd124, %rd689, 1;
setp.gt.s64 %p113, %rd689, -2;
setp.lt.u32 %p114, %r135, 2;
mov.u32 %r135, 2;
and.pred %p115, %p113, %p114;
setp.lt.s64 %p116, %rd124, %rd262;
and.pred %p117, %p116, %p115;
mov.u64 %rd689, %rd124;
@%p117 bra $L__BB0_100;
$L__BB0_103:
ld.global.u64 %rd688, [%rd15];
mov.u64 %rd689, 0;
$L__BB0_104:
mul.lo.s64 %rd434, %rd686, %rd266;
add.s64 %rd435, %rd120, %rd434;
shl.b64 %rd436, %rd689, 4;
add.s64 %rd437, %rd1, %rd436;
ld.global.u64 %rd438, [%rd437];
add.s64 %rd439, %rd435, %rd438;
sub.s64 %rd440, %rd439, %rd688;
add.s64 %rd441, %rd3, %rd440;
add.s64 %rd442, %rd4, %rd440;
setp.eq.s16 %p118, %rs7, 0;
selp.b64 %rd443, %rd442, %rd441, %p118;
ld.global.u32 %r86, [%rd443];
selp.b64 %rd444, %rd441, %rd442, %p118;
st.global.u32 [%rd444], %r86;
add.s64 %rd5, %rd5, %rd6;
setp.lt.s64 %p119, %rd5, %rd643;
@%p119 bra $L__BB0_10;
bra.uni $L__BB0_213;
$L__BB0_17:
setp.eq.s16 %p9, %rs8, 0;
@%p9 bra $L__BB0_30;
mov.u64 %rd649, -1;
cvt.u32.u64 %r27, %rd265;
$L__BB0_19:
shl.b64 %rd275, %rd5, 4;
add.s64 %rd18, %rd275, %rd267;
setp.lt.s64 %p10, %rd18, %rd265;
mov.u64 %rd646, 0;
@%p10 bra $L__BB0_23;
or.b64 %rd276, %rd18, %rd265;
and.b64 %rd277, %rd276, -4294967296;
setp.eq.s64 %p11, %rd277, 0;
@%p11 bra $L__BB0_22;
div.s64 %rd646, %rd18, %rd265;
bra.uni $L__BB0_23;
$L__BB0_22:
cvt.u32.u64 %r28, %rd18;
div.u32 %r29, %r28, %r27;
cvt.u64.u32 %rd646, %r29;
$L__BB0_23:
mul.lo.s64 %rd278, %rd646, %rd265;
sub.s64 %rd22, %rd18, %rd278;
setp.ge.s64 %p12, %rd649, %rd262;
setp.lt.s64 %p13, %rd649, 0;
or.pred %p14, %p12, %p13;
@%p14 bra $L__BB0_28;
mov.u32 %r129, 1;
$L__BB0_25:
shl.b64 %rd279, %rd649, 4;
add.s64 %rd280, %rd1, %rd279;
add.s64 %rd24, %rd280, 8;
ld.global.u64 %rd648, [%rd280+8];
setp.gt.s64 %p15, %rd648, %rd22;
@%p15 bra $L__BB0_27;
ld.global.u64 %rd281, [%rd24+16];
setp.gt.s64 %p16, %rd281, %rd22;
@%p16 bra $L__BB0_29;
$L__BB0_27:
add.s64 %rd26, %rd649, 1;
setp.gt.s64 %p17, %rd649, -2;
setp.lt.u32 %p18, %r129, 2;
mov.u32 %r129, 2;
and.pred %p19, %p17, %p18;
setp.lt.s64 %p20, %rd26, %rd262;
and.pred %p21, %p20, %p19;
mov.u64 %rd649, %rd26;
@%p21 bra $L__BB0_25;
$L__BB0_28:
ld.global.u64 %rd648, [%rd15];
mov.u64 %rd649, 0;
$L__BB0_29:
mul.lo.s64 %rd283, %rd646, %rd266;
add.s64 %rd284, %rd22, %rd283;
shl.b64 %rd285, %rd649, 4;
add.s64 %rd286, %rd1, %rd285;
ld.global.u64 %rd287, [%rd286];
add.s64 %rd288, %rd284, %rd287;
sub.s64 %rd289, %rd288, %rd648;
add.s64 %rd290, %rd3, %rd289;
add.s64 %rd291, %rd4, %rd289;
setp.eq.s16 %p22, %rs7, 0;
selp.b64 %rd292, %rd290, %rd291, %p22;
selp.b64 %rd293, %rd291, %rd290, %p22;
ld.global.v4.u32 {%r32, %r33, %r34, %r35}, [%rd293];
st.global.v4.u32 [%rd292], {%r32, %r33, %r34, %r35};
add.s64 %rd5, %rd5, %rd6;
setp.lt.s64 %p23, %rd5, %rd643;
@%p23 bra $L__BB0_19;
bra.uni $L__BB0_213;
$L__BB0_133:
setp.eq.s16 %p153, %rs8, 0;
@%p153 bra $L__BB0_146;
mov.u64 %rd709, -1;
cvt.u32.u64 %r99, %rd265;
$L__BB0_135:
shl.b64 %rd500, %rd5, 1;
add.s64 %rd165, %rd500, %rd267;
setp.lt.s64 %p154, %rd165, %rd265;
mov.u64 %rd706, 0;
@%p154 bra $L__BB0_139;
or.b64 %rd501, %rd165, %rd265;
and.b64 %rd502, %rd501, -4294967296;
setp.eq.s64 %p155, %rd502, 0;
@%p155 bra $L__BB0_138;
div.s64 %rd706, %rd165, %rd265;
bra.uni $L__BB0_139;
$L__BB0_138:
cvt.u32.u64 %r100, %rd165;
div.u32 %r101, %r100, %r99;
cvt.u64.u32 %rd706, %r101;
$L__BB0_139:
mul.lo.s64 %rd503, %rd706, %rd265;
sub.s64 %rd169, %rd165, %rd503;
setp.ge.s64 %p156, %rd709, %rd262;
setp.lt.s64 %p157, %rd709, 0;
or.pred %p158, %p156, %p157;
@%p158 bra $L__BB0_144;
mov.u32 %r138, 1;
$L__BB0_141:
shl.b64 %rd504, %rd709, 4;
add.s64 %rd505, %rd1, %rd504;
add.s64 %rd171, %rd505, 8;
ld.global.u64 %rd708, [%rd505+8];
setp.gt.s64 %p159, %rd708, %rd169;
@%p159 bra $L__BB0_143;
ld.global.u64 %rd506, [%rd171+16];
setp.gt.s64 %p160, %rd506, %rd169;
@%p160 bra $L__BB0_145;
$L__BB0_143:
add.s64 %rd173, %rd709, 1;
setp.gt.s64 %p161, %rd709, -2;
setp.lt.u32 %p162, %r138, 2;
mov.u32 %r138, 2;
and.pred %p163, %p161, %p162;
setp.lt.s64 %p164, %rd173, %rd262;
and.pred %p165, %p164, %p163;
mov.u64 %rd709, %rd173;
@%p165 bra $L__BB0_141;
$L__BB0_144:
ld.global.u64 %rd708, [%rd15];
mov.u64 %rd709, 0;
$L__BB0_145:
mul.lo.s64 %rd508, %rd706, %rd266;
add.s64 %rd509, %rd169, %rd508;
shl.b64 %rd510, %rd709, 4;
add.s64 %rd511, %rd1, %rd510;
ld.global.u64 %rd512, [%rd511];
add.s64 %rd513, %rd509, %rd512;
sub.s64 %rd514, %rd513, %rd708;
add.s64 %rd515, %rd3, %rd514;
add.s64 %rd516, %rd4, %rd514;
setp.eq.s16 %p166, %rs7, 0;
selp.b64 %rd517, %rd516, %rd515, %p166;
ld.global.u16 %rs28, [%rd517];
selp.b64 %rd518, %rd515, %rd516, %p166;
st.global.u16 [%rd518], %rs28;
add.s64 %rd5, %rd5, %rd6;
setp.lt.s64 %p167, %rd5, %rd643;
@%p167 bra $L__BB0_135;
bra.uni $L__BB0_213;
$L__BB0_58:
setp.eq.s16 %p57, %rs8, 0;
@%p57 bra $L__BB0_71;
mov.u64 %rd669, -1;
cvt.u32.u64 %r66, %rd265;
$L__BB0_60:
shl.b64 %rd349, %rd5, 3;
add.s64 %rd67, %rd349, %rd267;
setp.lt.s64 %p58, %rd67, %rd265;
mov.u64 %rd666, 0;
@%p58 bra $L__BB0_64;
or.b64 %rd350, %rd67, %rd265;
and.b64 %rd351, %rd350, -4294967296;
setp.eq.s64 %p59, %rd351, 0;
@%p59 bra $L__BB0_63;
div.s64 %rd666, %rd67, %rd265;
bra.uni $L__BB0_64;
$L__BB0_63:
cvt.u32.u64 %r67, %rd67;
div.u32 %r68, %r67, %r66;
cvt.u64.u32 %rd666, %r68;
$L__BB0_64:
mul.lo.s64 %rd352, %rd666, %rd265;
sub.s64 %rd71, %rd67, %rd352;
setp.ge.s64 %p60, %rd669, %rd262;
setp.lt.s64 %p61, %rd669, 0;
or.pred %p62, %p60, %p61;
@%p62 bra $L__BB0_69;
mov.u32 %r132, 1;
$L__BB0_66:
shl.b64 %rd353, %rd669, 4;
add.s64 %rd354, %rd1, %rd353;
add.s64 %rd73, %rd354, 8;
ld.global.u64 %rd668, [%rd354+8];
setp.gt.s64 %p63, %rd668, %rd71;
@%p63 bra $L__BB0_68;
ld.global.u64 %rd355, [%rd73+16];
setp.gt.s64 %p64, %rd355, %rd71;
@%p64 bra $L__BB0_70;
$L__BB0_68:
add.s64 %rd75, %rd669, 1;
setp.gt.s64 %p65, %rd669, -2;
setp.lt.u32 %p66, %r132, 2;
mov.u32 %r132, 2;
and.pred %p67, %p65, %p66;
setp.lt.s64 %p68, %rd75, %rd262;
and.pred %p69, %p68, %p67;
mov.u64 %rd669, %rd75;
@%p69 bra $L__BB0_66;
$L__BB0_69:
ld.global.u64 %rd668, [%rd15];
mov.u64 %rd669, 0;
$L__BB0_70:
mul.lo.s64 %rd357, %rd666, %rd266;
add.s64 %rd358, %rd71, %rd357;
shl.b64 %rd359, %rd669, 4;
add.s64 %rd360, %rd1, %rd359;
ld.global.u64 %rd361, [%rd360];
add.s64 %rd362, %rd358, %rd361;
sub.s64 %rd363, %rd362, %rd668;
add.s64 %rd364, %rd3, %rd363;
add.s64 %rd365, %rd4, %rd363;
setp.eq.s16 %p70, %rs7, 0;
selp.b64 %rd366, %rd365, %rd364, %p70;
ld.global.u64 %rd367, [%rd366];
selp.b64 %rd368, %rd364, %rd365, %p70;
st.global.u64 [%rd368], %rd367;
add.s64 %rd5, %rd5, %rd6;
setp.lt.s64 %p71, %rd5, %rd643;
@%p71 bra $L__BB0_60;
bra.uni $L__BB0_213;
$L__BB0_174:
setp.eq.s16 %p201, %rs8, 0;
@%p201 bra $L__BB0_187;
mov.u64 %rd729, -1;
cvt.u32.u64 %r114, %rd265;
$L__BB0_176:
add.s64 %rd214, %rd5, %rd267;
setp.lt.s64 %p202, %rd214, %rd265;
mov.u64 %rd726, 0;
@%p202 bra $L__BB0_180;
or.b64 %rd574, %rd214, %rd265;
and.b64 %rd575, %rd574, -4294967296;
setp.eq.s64 %p203, %rd575, 0;
@%p203 bra $L__BB0_179;
div.s64 %rd726, %rd214, %rd265;
bra.uni $L__BB0_180;
$L__BB0_179:
cvt.u32.u64 %r115, %rd214;
div.u32 %r116, %r115, %r114;
cvt.u64.u32 %rd726, %r116;
$L__BB0_180:
mul.lo.s64 %rd576, %rd726, %rd265;
sub.s64 %rd218, %rd214, %rd576;
setp.ge.s64 %p204, %rd729, %rd262;
setp.lt.s64 %p205, %rd729, 0;
or.pred %p206, %p204, %p205;
@%p206 bra $L__BB0_185;
mov.u32 %r141, 1;
$L__BB0_182:
shl.b64 %rd577, %rd729, 4;
add.s64 %rd578, %rd1, %rd577;
add.s64 %rd220, %rd578, 8;
ld.global.u64 %rd728, [%rd578+8];
setp.gt.s64 %p207, %rd728, %rd218;
@%p207 bra $L__BB0_184;
ld.global.u64 %rd579, [%rd220+16];
setp.gt.s64 %p208, %rd579, %rd218;
@%p208 bra $L__BB0_186;
$L__BB0_184:
add.s64 %rd222, %rd729, 1;
setp.gt.s64 %p209, %rd729, -2;
setp.lt.u32 %p210, %r141, 2;
mov.u32 %r141, 2;
and.pred %p211, %p209, %p210;
setp.lt.s64 %p212, %rd222, %rd262;
and.pred %p213, %p212, %p211;
mov.u64 %rd729, %rd222;
@%p213 bra $L__BB0_182;
$L__BB0_185:
ld.global.u64 %rd728, [%rd15];
mov.u64 %rd729, 0;
$L__BB0_186:
mul.lo.s64 %rd581, %rd726, %rd266;
add.s64 %rd582, %rd218, %rd581;
shl.b64 %rd583, %rd729, 4;
add.s64 %rd584, %rd1, %rd583;
ld.global.u64 %rd585, [%rd584];
add.s64 %rd586, %rd582, %rd585;
sub.s64 %rd587, %rd586, %rd728;
add.s64 %rd588, %rd3, %rd587;
add.s64 %rd589, %rd4, %rd587;
setp.eq.s16 %p214, %rs7, 0;
selp.b64 %rd590, %rd589, %rd588, %p214;
ld.global.u8 %rs36, [%rd590];
selp.b64 %rd591, %rd588, %rd589, %p214;
st.global.u8 [%rd591], %rs36;
add.s64 %rd5, %rd5, %rd6;
setp.lt.s64 %p215, %rd5, %rd643;
@%p215 bra $L__BB0_176;
bra.uni $L__BB0_213;
$L__BB0_105:
mov.u64 %rd695, -1;
cvt.u32.u64 %r87, %rd265;
$L__BB0_106:
shl.b64 %rd447, %rd5, 2;
add.s64 %rd131, %rd447, %rd267;
setp.lt.s64 %p120, %rd131, %rd265;
mov.u64 %rd692, 0;
@%p120 bra $L__BB0_110;
or.b64 %rd448, %rd131, %rd265;
and.b64 %rd449, %rd448, -4294967296;
setp.eq.s64 %p121, %rd449, 0;
@%p121 bra $L__BB0_109;
div.s64 %rd692, %rd131, %rd265;
bra.uni $L__BB0_110;
$L__BB0_109:
cvt.u32.u64 %r88, %rd131;
div.u32 %r89, %r88, %r87;
cvt.u64.u32 %rd692, %r89;
$L__BB0_110:
mul.lo.s64 %rd450, %rd692, %rd265;
sub.s64 %rd135, %rd131, %rd450;
setp.ge.s64 %p122, %rd695, %rd262;
setp.lt.s64 %p123, %rd695, 0;
or.pred %p124, %p122, %p123;
@%p124 bra $L__BB0_115;
mov.u32 %r136, 1;
$L__BB0_112:
shl.b64 %rd451, %rd695, 4;
add.s64 %rd452, %rd1, %rd451;
add.s64 %rd137, %rd452, 8;
ld.global.u64 %rd694, [%rd452+8];
setp.gt.s64 %p125, %rd694, %rd135;
@%p125 bra $L__BB0_114;
ld.global.u64 %rd453, [%rd137+16];
setp.gt.s64 %p126, %rd453, %rd135;
@%p126 bra $L__BB0_116;
$L__BB0_114:
add.s64 %rd139, %rd695, 1;
setp.gt.s64 %p127, %rd695, -2;
setp.lt.u32 %p128, %r136, 2;
mov.u32 %r136, 2;
and.pred %p129, %p127, %p128;
setp.lt.s64 %p130, %rd139, %rd262;
and.pred %p131, %p130, %p129;
mov.u64 %rd695, %rd139;
@%p131 bra $L__BB0_112;
$L__BB0_115:
ld.global.u64 %rd694, [%rd15];
mov.u64 %rd695, 0;
$L__BB0_116:
mul.lo.s64 %rd455, %rd692, %rd266;
add.s64 %rd456, %rd135, %rd455;
shl.b64 %rd457, %rd695, 4;
add.s64 %rd458, %rd1, %rd457;
ld.global.u64 %rd459, [%rd458];
add.s64 %rd460, %rd456, %rd459;
sub.s64 %rd461, %rd460, %rd694;
add.s64 %rd462, %rd3, %rd461;
add.s64 %rd463, %rd4, %rd131;
setp.eq.s16 %p132, %rs7, 0;
selp.b64 %rd464, %rd463, %rd462, %p132;
ld.global.u32 %r92, [%rd464];
selp.b64 %rd465, %rd462, %rd463, %p132;
st.global.u32 [%rd465], %r92;
add.s64 %rd5, %rd5, %rd6;
setp.lt.s64 %p133, %rd5, %rd643;
@%p133 bra $L__BB0_106;
bra.uni $L__BB0_213;
$L__BB0_30:
mov.u64 %rd655, -1;
cvt.u32.u64 %r40, %rd265;
$L__BB0_31:
shl.b64 %rd296, %rd5, 4;
add.s64 %rd33, %rd296, %rd267;
setp.lt.s64 %p24, %rd33, %rd265;
mov.u64 %rd652, 0;
@%p24 bra $L__BB0_35;
or.b64 %rd297, %rd33, %rd265;
and.b64 %rd298, %rd297, -4294967296;
setp.eq.s64 %p25, %rd298, 0;
@%p25 bra $L__BB0_34;
div.s64 %rd652, %rd33, %rd265;
bra.uni $L__BB0_35;
$L__BB0_34:
cvt.u32.u64 %r41, %rd33;
div.u32 %r42, %r41, %r40;
cvt.u64.u32 %rd652, %r42;
$L__BB0_35:
mul.lo.s64 %rd299, %rd652, %rd265;
sub.s64 %rd37, %rd33, %rd299;
setp.ge.s64 %p26, %rd655, %rd262;
setp.lt.s64 %p27, %rd655, 0;
or.pred %p28, %p26, %p27;
@%p28 bra $L__BB0_40;
mov.u32 %r130, 1;
$L__BB0_37:
shl.b64 %rd300, %rd655, 4;
add.s64 %rd301, %rd1, %rd300;
add.s64 %rd39, %rd301, 8;
ld.global.u64 %rd654, [%rd301+8];
setp.gt.s64 %p29, %rd654, %rd37;
@%p29 bra $L__BB0_39;
ld.global.u64 %rd302, [%rd39+16];
setp.gt.s64 %p30, %rd302, %rd37;
@%p30 bra $L__BB0_41;
$L__BB0_39:
add.s64 %rd41, %rd655, 1;
setp.gt.s64 %p31, %rd655, -2;
setp.lt.u32 %p32, %r130, 2;
mov.u32 %r130, 2;
and.pred %p33, %p31, %p32;
setp.lt.s64 %p34, %rd41, %rd262;
and.pred %p35, %p34, %p33;
mov.u64 %rd655, %rd41;
@%p35 bra $L__BB0_37;
$L__BB0_40:
ld.global.u64 %rd654, [%rd15];
mov.u64 %rd655, 0;
$L__BB0_41:
mul.lo.s64 %rd304, %rd652, %rd266;
add.s64 %rd305, %rd37, %rd304;
shl.b64 %rd306, %rd655, 4;
add.s64 %rd307, %rd1, %rd306;
ld.global.u64 %rd308, [%rd307];
add.s64 %rd309, %rd305, %rd308;
sub.s64 %rd310, %rd309, %rd654;
add.s64 %rd311, %rd3, %rd310;
add.s64 %rd312, %rd4, %rd33;
setp.eq.s16 %p36, %rs7, 0;
selp.b64 %rd313, %rd311, %rd312, %p36;
selp.b64 %rd314, %rd312, %rd311, %p36;
ld.global.v4.u32 {%r45, %r46, %r47, %r48}, [%rd314];
st.global.v4.u32 [%rd313], {%r45, %r46, %r47, %r48};
add.s64 %rd5, %rd5, %rd6;
setp.lt.s64 %p37, %rd5, %rd643;
@%p37 bra $L__BB0_31;
bra.uni $L__BB0_213;
$L__BB0_146:
mov.u64 %rd715, -1;
cvt.u32.u64 %r104, %rd265;
$L__BB0_147:
shl.b64 %rd521, %rd5, 1;
add.s64 %rd180, %rd521, %rd267;
setp.lt.s64 %p168, %rd180, %rd265;
mov.u64 %rd712, 0;
@%p168 bra $L__BB0_151;
or.b64 %rd522, %rd180, %rd265;
and.b64 %rd523, %rd522, -4294967296;
setp.eq.s64 %p169, %rd523, 0;
@%p169 bra $L__BB0_150;
div.s64 %rd712, %rd180, %rd265;
bra.uni $L__BB0_151;
$L__BB0_150:
cvt.u32.u64 %r105, %rd180;
div.u32 %r106, %r105, %r104;
cvt.u64.u32 %rd712, %r106;
$L__BB0_151:
mul.lo.s64 %rd524, %rd712, %rd265;
sub.s64 %rd184, %rd180, %rd524;
setp.ge.s64 %p170, %rd715, %rd262;
setp.lt.s64 %p171, %rd715, 0;
or.pred %p172, %p170, %p171;
@%p172 bra $L__BB0_156;
mov.u32 %r139, 1;
$L__BB0_153:
shl.b64 %rd525, %rd715, 4;
add.s64 %rd526, %rd1, %rd525;
add.s64 %rd186, %rd526, 8;
ld.global.u64 %rd714, [%rd526+8];
setp.gt.s64 %p173, %rd714, %rd184;
@%p173 bra $L__BB0_155;
ld.global.u64 %rd527, [%rd186+16];
setp.gt.s64 %p174, %rd527, %rd184;
@%p174 bra $L__BB0_157;
$L__BB0_155:
add.s64 %rd188, %rd715, 1;
setp.gt.s64 %p175, %rd715, -2;
setp.lt.u32 %p176, %r139, 2;
mov.u32 %r139, 2;
and.pred %p177, %p175, %p176;
setp.lt.s64 %p178, %rd188, %rd262;
and.pred %p179, %p178, %p177;
mov.u64 %rd715, %rd188;
@%p179 bra $L__BB0_153;
$L__BB0_156:
ld.global.u64 %rd714, [%rd15];
mov.u64 %rd715, 0;
$L__BB0_157:
mul.lo.s64 %rd529, %rd712, %rd266;
add.s64 %rd530, %rd184, %rd529;
shl.b64 %rd531, %rd715, 4;
add.s64 %rd532, %rd1, %rd531;
ld.global.u64 %rd533, [%rd532];
add.s64 %rd534, %rd530, %rd533;
sub.s64 %rd535, %rd534, %rd714;
add.s64 %rd536, %rd3, %rd535;
add.s64 %rd537, %rd4, %rd180;
setp.eq.s16 %p180, %rs7, 0;
selp.b64 %rd538, %rd537, %rd536, %p180;
ld.global.u16 %rs30, [%rd538];
selp.b64 %rd539, %rd536, %rd537, %p180;
st.global.u16 [%rd539], %rs30;
add.s64 %rd5, %rd5, %rd6;
setp.lt.s64 %p181, %rd5, %rd643;
@%p181 bra $L__BB0_147;
bra.uni $L__BB0_213;
$L__BB0_71:
mov.u64 %rd675, -1;
cvt.u32.u64 %r71, %rd265;
$L__BB0_72:
shl.b64 %rd371, %rd5, 3;
add.s64 %rd82, %rd371, %rd267;
setp.lt.s64 %p72, %rd82, %rd265;
mov.u64 %rd672, 0;
@%p72 bra $L__BB0_76;
or.b64 %rd372, %rd82, %rd265;
and.b64 %rd373, %rd372, -4294967296;
setp.eq.s64 %p73, %rd373, 0;
@%p73 bra $L__BB0_75;
div.s64 %rd672, %rd82, %rd265;
bra.uni $L__BB0_76;
$L__BB0_75:
cvt.u32.u64 %r72, %rd82;
div.u32 %r73, %r72, %r71;
cvt.u64.u32 %rd672, %r73;
$L__BB0_76:
mul.lo.s64 %rd374, %rd672, %rd265;
sub.s64 %rd86, %rd82, %rd374;
setp.ge.s64 %p74, %rd675, %rd262;
setp.lt.s64 %p75, %rd675, 0;
or.pred %p76, %p74, %p75;
@%p76 bra $L__BB0_81;
mov.u32 %r133, 1;
$L__BB0_78:
shl.b64 %rd375, %rd675, 4;
add.s64 %rd376, %rd1, %rd375;
add.s64 %rd88, %rd376, 8;
ld.global.u64 %rd674, [%rd376+8];
setp.gt.s64 %p77, %rd674, %rd86;
@%p77 bra $L__BB0_80;
ld.global.u64 %rd377, [%rd88+16];
setp.gt.s64 %p78, %rd377, %rd86;
@%p78 bra $L__BB0_82;
$L__BB0_80:
add.s64 %rd90, %rd675, 1;
setp.gt.s64 %p79, %rd675, -2;
setp.lt.u32 %p80, %r133, 2;
mov.u32 %r133, 2;
and.pred %p81, %p79, %p80;
setp.lt.s64 %p82, %rd90, %rd262;
and.pred %p83, %p82, %p81;
mov.u64 %rd675, %rd90;
@%p83 bra $L__BB0_78;
$L__BB0_81:
ld.global.u64 %rd674, [%rd15];
mov.u64 %rd675, 0;
$L__BB0_82:
mul.lo.s64 %rd379, %rd672, %rd266;
add.s64 %rd380, %rd86, %rd379;
shl.b64 %rd381, %rd675, 4;
add.s64 %rd382, %rd1, %rd381;
ld.global.u64 %rd383, [%rd382];
add.s64 %rd384, %rd380, %rd383;
sub.s64 %rd385, %rd384, %rd674;
add.s64 %rd386, %rd3, %rd385;
add.s64 %rd387, %rd4, %rd82;
setp.eq.s16 %p84, %rs7, 0;
selp.b64 %rd388, %rd387, %rd386, %p84;
ld.global.u64 %rd389, [%rd388];
selp.b64 %rd390, %rd386, %rd387, %p84;
st.global.u64 [%rd390], %rd389;
add.s64 %rd5, %rd5, %rd6;
setp.lt.s64 %p85, %rd5, %rd643;
@%p85 bra $L__BB0_72;
bra.uni $L__BB0_213;
$L__BB0_187:
mov.u64 %rd735, -1;
cvt.u32.u64 %r119, %rd265;
$L__BB0_188:
add.s64 %rd229, %rd5, %rd267;
setp.lt.s64 %p216, %rd229, %rd265;
mov.u64 %rd732, 0;
@%p216 bra $L__BB0_192;
or.b64 %rd594, %rd229, %rd265;
and.b64 %rd595, %rd594, -4294967296;
setp.eq.s64 %p217, %rd595, 0;
@%p217 bra $L__BB0_191;
div.s64 %rd732, %rd229, %rd265;
bra.uni $L__BB0_192;
$L__BB0_191:
cvt.u32.u64 %r120, %rd229;
div.u32 %r121, %r120, %r119;
cvt.u64.u32 %rd732, %r121;
$L__BB0_192:
mul.lo.s64 %rd596, %rd732, %rd265;
sub.s64 %rd233, %rd229, %rd596;
setp.ge.s64 %p218, %rd735, %rd262;
setp.lt.s64 %p219, %rd735, 0;
or.pred %p220, %p218, %p219;
@%p220 bra $L__BB0_197;
mov.u32 %r142, 1;
$L__BB0_194:
shl.b64 %rd597, %rd735, 4;
add.s64 %rd598, %rd1, %rd597;
add.s64 %rd235, %rd598, 8;
ld.global.u64 %rd734, [%rd598+8];
setp.gt.s64 %p221, %rd734, %rd233;
@%p221 bra $L__BB0_196;
ld.global.u64 %rd599, [%rd235+16];
setp.gt.s64 %p222, %rd599, %rd233;
@%p222 bra $L__BB0_198;
$L__BB0_196:
add.s64 %rd237, %rd735, 1;
setp.gt.s64 %p223, %rd735, -2;
setp.lt.u32 %p224, %r142, 2;
mov.u32 %r142, 2;
and.pred %p225, %p223, %p224;
setp.lt.s64 %p226, %rd237, %rd262;
and.pred %p227, %p226, %p225;
mov.u64 %rd735, %rd237;
@%p227 bra $L__BB0_194;
$L__BB0_197:
ld.global.u64 %rd734, [%rd15];
mov.u64 %rd735, 0;
$L__BB0_198:
mul.lo.s64 %rd601, %rd732, %rd266;
add.s64 %rd602, %rd233, %rd601;
shl.b64 %rd603, %rd735, 4;
add.s64 %rd604, %rd1, %rd603;
ld.global.u64 %rd605, [%rd604];
add.s64 %rd606, %rd602, %rd605;
sub.s64 %rd607, %rd606, %rd734;
add.s64 %rd608, %rd3, %rd607;
add.s64 %rd609, %rd4, %rd229;
setp.eq.s16 %p228, %rs7, 0;
selp.b64 %rd610, %rd609, %rd608, %p228;
ld.global.u8 %rs38, [%rd610];
selp.b64 %rd611, %rd608, %rd609, %p228;
st.global.u8 [%rd611], %rs38;
add.s64 %rd5, %rd5, %rd6;
setp.lt.s64 %p229, %rd5, %rd643;
@%p229 bra $L__BB0_188;
$L__BB0_213:
ret;
}
)ptx";

}  // namespace aureole::drivers
