"""How berth protonates: groups with the pKa that was measured of them, and what shifts it.

Five columns, the last of which may hold blanks: kind, class, value, SMARTS, source.  The first atom
of a SMARTS is the one that takes up (base) or gives away (acid) the proton: a nitrogen, or an oxygen, a
sulfur or a selenium with hydrogen.  Molecules are neutral before rules apply, all hydrogens implicit.  (nearby.py says
what a SMARTS may ask for of the first atom and its neighbours, other than by recursion.)

  base, acid  the pKa of a group.  The first row of its kind that an atom matches decides; a value
              of - says: never, at any pH.
  shift       added to the pKa of sites of the class (several: with commas), once for each way in
              which the SMARTS matches with the site as its first atom.
  pair        by how much two charged sites of these kinds or classes (A+B) move each other's pKa:
              by the number of bonds between them (an integer where the SMARTS would stand), or
              where the SMARTS has them as its first and last atoms.  The first row that applies
              decides.  Like charges repel, unlike attract: values are positive.
  inert       groups (class: acid or base; value -) that no row of base or acid knows, and of which it is known
              that water leaves them neutral: an ion of theirs that is drawn gets or loses its proton.  An ion that
              no row knows keeps its charge.  Only asked about what is drawn as an ion.

The source is the compound (or compounds) whose measured pKa the value is, or follows from, in water
at 20 to 25 degrees C.  The figures are in the standard collections: D. D. Perrin, Dissociation
Constants of Organic Bases in Aqueous Solution (1965, 1972); E. P. Serjeant, B. Dempsey, Ionisation
Constants of Organic Acids in Aqueous Solution (1979); D. D. Perrin, B. Dempsey, E. P. Serjeant, pKa
Prediction for Organic Acids and Bases (1981); of drugs: A. Avdeef, Absorption and Drug Development
(2012); R. J. Prankerd, Profiles of Drug Substances 33 (2007).
"""

TABLE = r"""
# --- Acids of sulfur and phosphorus
acid sulfonic -1.5 [OX2H]S(=O)(=O) methanesulfonic acid -1.9; sulfuric acid monoesters below
acid sulfinic 2.0 [OX2H][SX3](=O) benzenesulfinic acid 1.8 to 2.2
acid thiosulfonic 1.0 [OX2H]S(=O)=S methanethiosulfonic acid under 2; thiosulfuric acid 0.6 and 1.7
acid thiosulfonic 1.0 [SX2H]S(=O)=O its tautomer
acid thiophosphate 1.6 [OX2H]P=[S,Se] diethyl thiophosphoric acid 1.5; dimethyl dithiophosphoric acid 1.6; adenosine 5'-thiophosphate's second 5.3
acid thiophosphate 1.6 [OX2H]P(=O)[SX2H] its tautomer
acid thiophosphate 1.6 [SX2H,$([Se;X2;H1])]P=[O,S,Se] diethyl dithiophosphoric acid 1.6; diethyldithiophosphinic acid 1.7
acid selenonic 0.5 [OX2H][Se](=O)=O selenic acid's second 1.7
acid seleninic 4.8 [OX2H][SeX3]=O benzeneseleninic acid 4.8
acid phosphate 1.5 [OX2H]P(=O)(O)[OX2] ethyl phosphate 1.6 and 6.6; glucose-6-phosphate 0.9 and 6.1
acid phosphonate 2.3 [OX2H]P(=O) methylphosphonic acid 2.38 and 7.74; phenylphosphonic acid 1.85 and 7.07; dimethylphosphinic acid 3.1
shift phosphonate -0.5 [OX2H]P(=O)-c phenylphosphonic acid 1.85
acid arsonate 6.3 [OX2H][As](=O)(-C)-C dimethylarsinic acid 6.27
acid arsonate 3.6 [OX2H][As]=O methylarsonic acid 4.1 and 9.0; phenylarsonic acid 3.5 and 8.5
shift phosphonate -1.5 [OX2H]P(=O)-C-P=O etidronic acid 1.35, 2.87, 7.03, 11.3
# --- Carboxylic acids and their like
acid carboxyl 6.2 [OX2H]C(=O)-c:c=O ciprofloxacin 6.1; norfloxacin 6.3 (hydrogen-bonded to the ketone)
acid carboxyl 2.5 [OX2H]C(=O)-C(=O) pyruvic acid 2.49
acid carboxyl 4.2 [OX2H]C(=O)-[c,$(C=C)] benzoic acid 4.20; acrylic acid 4.25
acid carboxyl 4.8 [OX2H][CX3](=[O,S]) acetic acid 4.76; propionic acid 4.87
shift carboxyl -1.2 [OX2H]C(=O)-[CX4]-C=O malonic acid 2.85; acetoacetic acid 3.6
shift carboxyl -0.5 [OX2H]C(=O)-c:c-C(=O)[OX2H] phthalic acid 2.95
acid thiocarboxyl 3.3 [SX2H][CX3](=[O,S]) thioacetic acid 3.33
shift carboxyl -1.9 [OX2H]C(=O)-[CX4]-[F,Cl,Br,I] chloroacetic acid 2.87
shift carboxyl -1.0 [OX2H]C(=O)-[CX4]-[OX2,SX2] glycolic acid 3.83; methoxyacetic acid 3.57
acid thiocyanic -1.0 [SX2H]C#N thiocyanic acid -1.8 to 0.9
acid peroxy 8.2 [OX2H]-[OX2]-C=O peracetic acid 8.2
acid peroxy 11.8 [OX2H]-[OX2]-[CX4] methyl hydroperoxide 11.5; tert-butyl hydroperoxide 12.8
acid fluoroalcohol 5.4 [OX2H]-[CX4](C(F)(F)F)(C(F)(F)F)C(F)(F)F perfluoro-tert-butanol 5.4
acid fluoroalcohol 9.3 [OX2H]-[CX4](C(F)(F)F)C(F)(F)F hexafluoroisopropanol 9.3
# --- OH on nitrogen
acid hydroxyimide 6.1 [OX2H]-[NX3](-[CX3]=O)-[CX3]=O N-hydroxysuccinimide 6.1
acid hydroxyazole 4.6 [OX2H]-[nX3;$(n1nncc1),$(n1nnnc1),$(n1ncnc1),$(n1cnnc1)] 1-hydroxybenzotriazole 4.6
acid hydroxyazole 5.9 [OX2H]-[nX3;$(n1nccc1)] 1-hydroxypyrazole 5.9
acid nitrosohydroxylamine 4.2 [OX2H]-[NX3]-[NX2]=O N-nitrosophenylhydroxylamine (cupferron) 4.2
acid nitrosohydroxylamine 4.2 [OX2H]-[NX2]=[NX3+]-[O-] its tautomer
acid Noxide 8.7 [OX2H]-[NX4+] trimethylamine N-oxide 4.65 (beside the charge)
acid Noxide 4.8 [OX2H]-[nX3+] pyridine N-oxide 0.8 (beside the charge)
acid hydroxypyridone 6.0 [OX2H]-[nX3]:c=[O,S] 1-hydroxypyridin-2-one 5.9; ciclopirox 7.2; pyrithione 4.7
acid hydroxamic 9.2 [OX2H]-[NX3]-[CX3]=O acetohydroxamic acid 9.37; vorinostat 9.2; benzohydroxamic acid 8.8
acid oxime 4.6 [OX2H]-[NX2]=[#6]1-[#6](=O)-[#7]-[#6](=[O,S])-[#7]-[#6]1=O violuric acid 4.6
acid cyanoxime 5.0 [OX2H]-[NX2]=C(-C#N)-[CX3]=[O,S] ethyl cyano(hydroxyimino)acetate 4.6; 2-cyano-2-(hydroxyimino)acetamide 5.0; benzoylcyanoxime 4.1
acid oxime 7.4 [OX2H]-[NX2]=[#6](-[CX3]=O)-[CX3]=O 3-(hydroxyimino)pentane-2,4-dione 7.4
acid oxime 9.1 [OX2H]-[NX2]=[#6]-c:[n+] pralidoxime 7.9 (beside the charge)
acid oxime 8.4 [OX2H]-[NX2]=[#6]-c1cc[n+]cc1 obidoxime 7.9 (beside the charge)
acid oxime 9.3 [OX2H]-[NX2]=[#6]-[CX3;!$(C-[#7,#8])]=O butanedione monoxime 9.3
acid oxime 11.5 [OX2H]-[NX2]=[#6;!$(*-C#N);!$(*-[N+]);!$(*-[F,Cl,Br,I]);!$(*-S)] acetone oxime 12.2; benzaldehyde oxime 10.7
# --- NH between acyl and sulfonyl groups
acid cyanamide 1.0 [NX3;H1](C#N)S(=O)=O sulfonylcyanamides: stronger than acylcyanamides by what sulfonamides are
acid cyanamide 3.5 [NX3;H1](C#N)-[CX3]=[O,S] benzoylcyanamide 2.8 to 3.8
acid cyanamide 10.3 [NX3;H2]C#N cyanamide 10.3
acid disulfonimide 1.0 [NX3;H1](S(=O)=O)S(=O)=O dibenzenesulfonimide 1.45
acid acylsulfonamide 1.8 [NX3;H1;r5,r6]1S(=O)(=O)~[#6]~[#6]~[CX3,c]1=O saccharin 1.6 to 1.8
acid acylsulfonamide 2.0 [NX3;H1;r6]1S(=O)(=O)[#8]~[#6]~[#6]~[#6]1=O acesulfame 2.0
acid sulfonylurea 5.4 [NX3;H1](S(=O)=O)[CX3](=[O,S])[#7] tolbutamide 5.3; glibenclamide 5.3; glipizide 5.9
acid acylsulfonamide 4.0 [NX3;H1](S(=O)=O)[CX3](=[O,S]) N-acetylsulfanilamide 5.4; N-(phenylsulfonyl)benzamide 2.5 to 3; N-(phenylsulfonyl)acetamide 4
# --- Sulfonamides
acid sulfonamide 5.5 [NX3;H1](S(=O)=O)-[#6]1:,=[#7,#6]:,-[#8,#7,#16]:,-[#8,#16,#6]:,=[#6,#7]:,-1 sulfamethoxazole 5.6; sulfisoxazole 5.0; sulfamethizole 5.3
acid sulfonamide 7.1 [NX3;H1](S(=O)=O)-c1ncc[s,o,n]1 sulfathiazole 7.1
acid sulfonamide 6.5 [NX3;H1](S(=O)=O)-c1[n,c]c[c,n]nc1 sulfapyrazine 6.0; sulfamethoxypyridazine 6.7
acid sulfonamide 6.5 [NX3;H1](S(=O)=O)-c1ncccn1 sulfadiazine 6.5
acid sulfonamide 6.5 [NX3;H1](S(=O)=O)-c1nnccc1 sulfachloropyridazine 6.1; sulfamethoxypyridazine 6.7
acid sulfonamide 6.0 [NX3;H1](S(=O)=O)-c1ncncc1 sulfamonomethoxine 5.9; sulfadimethoxine 6.1; bosentan 5.5
acid sulfonamide 8.4 [NX3;H1](S(=O)=O)-c1ncccc1 sulfapyridine 8.4
shift sulfonamide 0.45 [NX3;H1](S(=O)=O)-c1nc(-[CX4])ccn1 sulfamerazine 7.0; sulfamethazine 7.5
acid sulfonamide 4.5 [NX3;H1](S(=O)(=O)C(F)(F)[F,$(C(F)F)])-c triflanilide 4.45
acid sulfonamide 6.3 [NX3;H1,H2]S(=O)(=O)C(F)(F)[F,$(C(F)F)] triflamide 6.3
acid sulfonanilide 8.7 [NX3;H1](S(=O)=O)-c benzenesulfonanilide 8.3; methanesulfonanilide 8.9; sotalol 8.3
shift sulfonanilide -2.3 [NX3;H1]-c1:c:c:c(-[$([N+](=O)[O-])]):c:c:1 nimesulide 6.5
# Hammett's rho of anilides is 1.8, by nimesulide and sigma minus of its nitro group, 1.27.
shift sulfonanilide -1.7 [NX3;H1]-c1:[*]:[*]:c(-[$(S(=O)=O),$(C#N)]):[*]:[*]:1 1.8 times sigma minus 0.9 to 1.1
shift sulfonanilide -1.1 [NX3;H1]-c1:[*]:[*]:c(-[$(C(=O)[#7])]):[*]:[*]:1 1.8 times 0.61
shift sulfonanilide -1.4 [NX3;H1]-c1:[*]:[*]:c(-[$(C(=O)[!#7])]):[*]:[*]:1 1.8 times 0.75 to 0.84
shift sulfonanilide -1.2 [NX3;H1]-c1:[*]:[*]:c(-[$(C(F)(F)F)]):[*]:[*]:1 1.8 times 0.65
shift sulfonanilide -1.2 [NX3;H1]-c:c:c-[$([N+](=O)[O-]),$(S(=O)=O),$(C#N)] 1.8 times 0.6 to 0.7
shift sulfonanilide -0.7 [NX3;H1]-c:c:c-[$([CX3]=O),$(C(F)(F)F),F,Cl,Br,I] 1.8 times 0.35 to 0.43
shift sulfonanilide -0.4 [NX3;H1]-c1:[*]:[*]:c(-[Cl,Br,I]):[*]:[*]:1 1.8 times 0.23
acid sulfonamide 7.4 [NX3;H2]S(=O)(=O)-c1nncs1 acetazolamide 7.2 (its other proton 8.8); methazolamide 7.3
acid sulfonamide 10.1 [NX3;$([H2]),$([H1]-[CX4,#7,#8,c])]S(=O)(=O)[#6] benzenesulfonamide 10.1; methanesulfonamide 10.8; celecoxib 11.1 (its methyl and aryl groups)
acid sulfonamide 9.5 [NX3;H2]S(=O)(=O)[#7,#8] sulfamide 10.4; phenyl sulfamate 9.0
# --- NH between two carbonyls
acid oxadiazolidinedione 4.2 [#7;X3;H1]1~[#6](=O)~[#8]~[#7]~[#6]1=O quisqualic acid 4.2
acid azolidinone 6.5 [NX3;H1]1[CX3](=[O,S])[#16][#6][CX3]1=[O,S] thiazolidine-2,4-dione 6.7; pioglitazone 6.2; rosiglitazone 6.5
shift azolidinone -1.3 [NX3;H1]1C(=S)[#16][#6]C1=O rhodanine 5.2
acid azolidinone 6.1 [NX3;H1]1[CX3](=O)[#8][#6][CX3]1=O oxazolidine-2,4-dione 6.1
acid barbiturate 8.0 [NX3]1[CX3](=[O,S])[NX3][CX3](=O)[CX4][CX3]1=O barbital 8.0; hexobarbital 8.2
shift barbiturate -0.4 [NX3]1C(=[O,S])[NX3]C(=O)[CX4](-[c,$(C=C)])C1=O phenobarbital 7.4 (a shift for each nitrogen is half of both statistics)
shift barbiturate -0.4 [NX3]1C(=S)[NX3]C(=O)[CX4]C1=O thiopental 7.5
acid hydantoin 9.1 [NX3;H1]1[CX3](=[O,S])[NX3][CX4][CX3]1=O hydantoin 9.1; 5,5-dimethylhydantoin 9.2
shift hydantoin -0.4 [NX3;H1]1C(=O)[NX3][CX4](-c)C1=O phenytoin 8.3
acid urate 5.5 [nX3;H1]1c(=O)[n]c(=O)c2c1[n]c(=O)[n]2 uric acid 5.4 (its N3)
acid xanthine 8.6 [nX3;H1]1cnc2c1c(=O)[n]c(=O)[n]2 theophylline 8.6
acid xanthine 8.6 [nX3;H1]1cnc2c1[n]c(=O)[n]c2=O theophylline 8.6 (its tautomer)
acid uracil 7.8 [#7;X3;H1](~[#6]=O)~[#6]=S 6-propyl-2-thiouracil 7.8; 2-thiouracil 7.5
acid uracil 9.5 [nX3;H1](c=O)c=O uracil 9.45; thymine 9.9; theobromine 10
shift uracil -1.4 [nX3;H1](c=O)c(=O)c-[F,Cl,Br,I] 5-fluorouracil 8.0; 5-bromouracil 8.0
acid parabanic 5.8 [NX3;H1]1[CX3](=O)[NX3][CX3](=O)[CX3]1=O parabanic acid 6.1; 1-methylparabanic acid 5.8
acid phthalimide 8.3 [NX3;H1]1[CX3](=O)cc[CX3]1=O phthalimide 8.3
acid imide 9.6 [NX3;H1;r5]([CX3]=[O,S])[CX3]=[O,S] succinimide 9.6
acid imide 11.4 [NX3;H1]([CX3]=[O,S])[CX3]=[O,S] glutarimide 11.4; thalidomide 10.7
# --- Azoles with an acidic NH
acid oxadiazolone 6.1 [#7;X3;H1]1~[#6](=[O,S])~[#8]~[#7]~[#6]1 azilsartan 6.1 (5-oxo-1,2,4-oxadiazole)
acid oxadiazolone 5.5 [#7;X3;H1]1~[#6](=[O,S])~[#8]~[#6]~[#7]1 5-phenyl-1,3,4-oxadiazole-2-thione 4 to 5; the 2-one 6 to 7
acid isoxazolol 5.9 [nX3;H1]1occc1=O hymexazol 5.9 (its tautomer)
acid azole 14.2 [nX3;H1;r5;$(n1nccc1),$(n1cncc1);$(n:[c;r5]-[$([N+](=O)[O-]),$(C#N),$(C(F)(F)F),$(S(=O)=O)]),$(n:*:[c;r5]-[$([N+](=O)[O-]),$(C#N),$(C(F)(F)F),$(S(=O)=O)])] pyrazole 14.2; imidazole 14.4
shift azole -4.8 [nX3;H1]:*-[$([N+](=O)[O-])] 4-nitroimidazole 9.3; 4-nitropyrazole 9.6; 2-nitroimidazole 7.2
shift azole -4.8 [nX3;H1]:*:[c;r5]-[$([N+](=O)[O-])] 4-nitroimidazole 9.3
shift azole -4.5 [nX3;H1]:*-[$(C#N)] 4,5-dicyanoimidazole 5.2
shift azole -4.5 [nX3;H1]:*:[c;r5]-[$(C#N)] 4,5-dicyanoimidazole 5.2
shift azole -3.5 [nX3;H1]:*-[$(C(F)(F)F),$(S(=O)=O)] 3,5-bis(trifluoromethyl)pyrazole 7.1; 2-(trifluoromethyl)benzimidazole 8.8
shift azole -3.5 [nX3;H1]:*:[c;r5]-[$(C(F)(F)F),$(S(=O)=O)] 3,5-bis(trifluoromethyl)pyrazole 7.1
shift azole -2.2 [nX3;H1]:[c;r5]-[F,Cl,Br,I] 4,5-dichloroimidazole 9.7
shift azole -2.2 [nX3;H1]:*:[c;r5]-[F,Cl,Br,I] 4,5-dichloroimidazole 9.7
shift azole -1.4 [nX3;H1;$(n1[c,n]nc2ccccc12),$(n1[c,n][c,n]c2ccccc12),$(n1c2ccccc2cn1),$(n1ncc2ccccc12)] benzimidazole 12.8; indazole 13.9
acid tetrazole 4.9 [nX3;H1;$([nH]1nnnc1),$([nH]1nncn1)] tetrazole 4.9; 5-phenyltetrazole 4.5; losartan 4.9
acid triazole 8.3 [nX3;H1;$([nH]1nnc2ccccc12),$([nH]1nc2ccccc2n1)] benzotriazole 8.3
acid triazole 9.8 [nX3;H1;$([nH]1nncc1),$([nH]1nccn1),$([nH]1ncnc1),$([nH]1cnnc1)] 1,2,3-triazole 9.3; 1,2,4-triazole 10.3
shift triazole -1.9 [nX3;H1]~[n,c]-[F,Cl,Br,I] 3-chloro-1,2,4-triazole 8.1; 3,5-dichloro-1,2,4-triazole 5.2
shift triazole -1.9 [nX3;H1]~[n,c]~[n,c]-[F,Cl,Br,I] 3-chloro-1,2,4-triazole 8.1
shift triazole -3.8 [nX3;H1]~[n,c]-[$([N+](=O)[O-]),$(C#N)] 3-nitro-1,2,4-triazole 6.0
shift triazole -3.8 [nX3;H1]~[n,c]~[n,c]-[$([N+](=O)[O-]),$(C#N)] 3-nitro-1,2,4-triazole 6.0
acid purine 9.3 [nX3;H1;$([nH]1cnc2cncnc12),$([nH]1cnc2ncncc12)] purine 8.9; adenine 9.8
# --- Enols of dicarbonyls, phenols
acid squaric 2.3 [OX2H]-[#6;r4]~[#6;r4](-[NX3])~[#6;r4]=O 3-(dialkylamino)-4-hydroxycyclobutenediones 2.0 to 2.5
acid squaric 1.2 [OX2H]-[#6;r4]~[#6;r4]~[#6;r4]=O squaric acid 0.9 and 3.5; 3-hydroxycyclobutenedione 0.9; its 4-phenyl compound 0.4
acid croconic 1.0 [OX2H]-[#6;r5]1~[#6](-[OX2])~[#6](=O)~[#6](=O)~[#6]1=O croconic acid 0.8 and 2.2
acid tropolone 6.8 [OX2H]-[#6;r7]~[#6;r7]=O tropolone 6.9
acid enol 1.5 [OX2H]C=C(C#N)C#N benzoylmalononitrile 1 to 2
acid enol 4.5 [OX2H]-[#6]1=,:[#6]-,:[#6](=O)-,:[#7]-,:[#7]-,:1 phenylbutazone 4.5; oxyphenbutazone 4.7
acid enol 4.0 [OX2H]-c1cc(=O)[n]c(=[O,S])[n]1 barbituric acid 4.0
acid enol 4.0 [OX2H]-c1c(-[CX3]=O)c[n]n1 4-benzoyl-3-methyl-1-phenylpyrazol-5-ol 4.0; topramezone 4.1
acid enol 4.4 [OX2H]-c1c(-[CX3](=O)-[NX3;H0])c(=O)[n,o]cc1 laquinimod 4.2; tasquinimod and roquinimex alike
acid enol 3.2 [OX2H]C=C(C(=O)[NX3;H2])C=O tetracycline 3.3; doxycycline 3.1
acid enol 4.0 [OX2H]C=C(C#N)C=O teriflunomide 3.1 to 5.5
acid enol 4.2 [OX2H]C=C(S(=O)=O)C=O meloxicam 4.1
acid enol 4.3 [OX2H]C=C([NX3]S(=O)=O)C(=O)[NX3] meloxicam 4.1; tenoxicam 5.3; piroxicam 5.5
acid enol 3.5 [OX2H]C=C(-[CX3;!$(C-[#7,#8])]=O)-[CX3;!$(C-[#7,#8])]=O 2-acetylcyclohexane-1,3-dione 3.5; nitisinone 3.1; mesotrione 3.1; triacetylmethane 5.9
acid enol 3.5 [OX2H]-C1=C(-[CX3]=O)-C(=O)-[#6,#7,#8,#16]-[#6,#7]1 3-acetyltetramic acid 3.5; tenuazonic acid 3.5
acid enol 4.5 [OX2H]-[#6]1=,:[#6]-,:[#6](=O)-,:[#8]-,:[#6]-,=,:[#6]1 4-hydroxycoumarin 4.1; warfarin 5.0; triacetic acid lactone 4.9
acid enol 4.1 [OX2H]-C1=C([O,#6])C(=O)[#8,#7,#16][#6]1 ascorbic acid 4.1
acid enol 3.8 [OX2H]-C1=CC(=O)[#8,#16][#6]1 tetronic acid 3.8
acid enol 6.4 [OX2H]-C1=CC(=O)[#7][#6]1 tetramic acid 6.4
acid enol 4.5 [OX2H]-C1=CC(=O)[#6][#6]1 cyclopentane-1,3-dione 4.5
acid enol 5.3 [OX2H]-C1=CC(=O)[#6,#7][#6][#6,#7]1 cyclohexane-1,3-dione 5.2
acid enol 6.7 [OX2H]-c1c(=O)[n]cnc1C(=O)[NX3] raltegravir 6.7
acid enol 8.4 [OX2H]-c1c(=O)cco[c]1 maltol 8.4
acid enol 8.9 [OX2H]C=CC=O acetylacetone 8.9
acid isoxazolol 5.9 [OX2H]-c1nocc1 hymexazol 5.9; muscimol 4.8 and gaboxadol 4.4, beside their ammonium groups; ibotenic acid 5.1
acid isothiazolol 6.1 [OX2H]-c1nscc1 thiomuscimol 6.1
acid thiadiazolol 5.1 [OX2H]-c1nsnc1 1,2,5-thiadiazol-3-ol 5.1
acid urate 5.5 [OX2H]-c1[n]c2c([n]1)[#6](=O)[#7][#6](=O)[#7]2 uric acid 5.4 (its tautomer)
acid pyrazolol 7.0 [OX2H]-c1cc[nX2][nX3]1-c edaravone 7.0
acid pyrazolol 8.0 [OX2H]-c1[nX2][nX3]cc1 1-alkylpyrazol-3-ols 7.7 to 8.2
acid furazanol 4.0 [OX2H]-c1nonc1 4-(aminoalkyl)-1,2,5-oxadiazol-3-ols, as GABA's 4.0 (J. Med. Chem. 49 (2006) 4442)
acid phenol 8.7 [OX2H]-c1cnccc1 3-hydroxypyridine 8.7
acid phenol 10.0 [OX2H]-[c;!r3;!r4;!r5;!r7] phenol 9.99; 2-naphthol 9.5
shift phenol -2.9 [OX2H]-c:c-[$([N+](=O)[O-]),$(C#N)] 2-nitrophenol 7.2; 2-cyanophenol 6.9
shift phenol -1.5 [OX2H]-c:c:c-[$([N+](=O)[O-]),$(C#N)] 3-nitrophenol 8.4; 3-cyanophenol 8.6
shift phenol -2.6 [OX2H]-c1:[*]:[*]:c(-[$([N+](=O)[O-]),$(C#N)]):[*]:[*]:1 4-nitrophenol 7.15; 4-cyanophenol 7.95
shift phenol -1.5 [OX2H]-c:c-[F,Cl,Br,I] 2-chlorophenol 8.5; 2,6-dichlorophenol 6.8
shift phenol -0.8 [OX2H]-c:c:c-[F,Cl,Br,I] 3-chlorophenol 9.1
shift phenol -0.5 [OX2H]-c1:[*]:[*]:c(-[F,Cl,Br,I]):[*]:[*]:1 4-chlorophenol 9.4; pentachlorophenol 4.7 by all
shift phenol -0.8 [OX2H]-c:c-[CX3]=O salicylaldehyde 8.4; salicylamide 8.4; methyl salicylate 9.9
shift phenol -1.8 [OX2H]-c1:[*]:[*]:c(-[CX3]=O):[*]:[*]:1 4-hydroxyacetophenone 8.05; methylparaben 8.4
shift phenol -1.7 [OX2H]-c1:[*]:[*]:c(-[NX2]=[NX2]):[*]:[*]:1 4-hydroxyazobenzene 8.3
shift phenol -2.2 [OX2H]-c1:[*]:[*]:c(-S(=O)=O):[*]:[*]:1 4-(methylsulfonyl)phenol 7.8
shift phenol -2.0 [OX2H]-c:c-[$(S(=O)=O)] as in para
shift phenol -0.8 [OX2H]-c:c:c-[$([CX3]=O),$(S(=O)=O)] 3-hydroxyacetophenone 9.2; 3-(methylsulfonyl)phenol 9.3
shift phenol -1.1 [OX2H]-c:c-[$(C(F)(F)F)] 2-(trifluoromethyl)phenol 8.95
shift phenol -1.1 [OX2H]-c:c:c-[$(C(F)(F)F)] 3-(trifluoromethyl)phenol 8.95
shift phenol -1.3 [OX2H]-c1:[*]:[*]:c(-[$(C(F)(F)F)]):[*]:[*]:1 4-(trifluoromethyl)phenol 8.7
shift phenol -2.0 [OX2H]-c1:[*]:[*]:c(=O):[*]:[*]:1 a vinylogous acid
shift phenol -1.8 [OX2H]-c1:c:c:c2:c(:c:1):o:c(=O):c:c:2 umbelliferone 7.8
shift phenol -0.5 [OX2H]-c:c-[OX2H] catechol 9.4
# --- Thiols
acid thiol 6.6 [SX2H]-c thiophenol 6.6
acid thiol 10.4 [SX2H]-[CX4] ethanethiol 10.6; 2-mercaptoethanol 9.6; captopril 9.8
shift thiol -1.6 [SX2H]-[CX4]-[CX3]=O ethyl thioglycolate 8.0; tiopronin 8.4
acid persulfide 5.0 [SX2H]-[SX2]-[#6] cysteine persulfide 4.3; glutathione persulfide 5.5
acid selenol 5.5 [SeX2H]-[#6] selenocysteine 5.2; benzeneselenol 5.9
# --- Ions that are drawn, of what no row above has: water makes these neutral
inert acid - [OX2H]-[CX4] ethanol 15.9; 2,2,2-trifluoroethanol 12.4
inert acid - [OX2H]-[Si,B] trimethylsilanol 12.7; benzeneboronic acid 8.8, which takes up hydroxide
inert acid - [OX2H]-[NX3]-[CX4] N,N-dialkylhydroxylamines 13
inert acid - [NX3;!H0;!$(N-[!#6;!#1]);!$(N-[#6]=,#*)] amines 30 and more
inert acid - [NX3;!H0;!$(N-[!#6;!#1]);!$(N-C#*);!$(N-[a;!$(c1ccccc1)]);!$(N-c1ccccc1[N+]);!$(N-c1ccc([N+])cc1)]-[CX3]=[O,S] acetamide 15; acetanilide 21; urea 14
inert acid - [NX3;!H0;!$(N-[!#6;!#1])](-[c;!$(c1c([N+])cccc1);!$(c1ccc([N+])cc1)])-[c,CX4,#1] aniline 30; diphenylamine 22
inert acid - [NX3;H1](P(=O)[OX2H])P=O imidodiphosphoric acids beside their charges, as 5'-adenylyl imidodiphosphate
inert acid - [nX3;H1;r5;!$(n:c-[$([N+](=O)[O-]),$(C#N),F,Cl,Br,I]);!$(n:*:c-[$([N+](=O)[O-]),$(C#N),F,Cl,Br,I])] pyrrole 17; indole 17; pyrazole 14.2; imidazole 14.4; benzimidazole 12.8
inert acid - [nX3;H1;r6;$(n:[#6]=[O,S]),$(n1ccc(=O)cc1)] 2-pyridone 11.7; 4-pyrimidinone 8.6; hypoxanthine 8.8; guanosine 9.2
inert base - [NX3]-[$([CX3]=[O,S]),$([SX3,SX4]=O),$(P=[O,S])] N,N-dimethylacetamide -0.2; urea 0.1
inert base - [NX3](-c)-c diphenylamine 0.8
inert base - [NX3]-[CX3]=[CX3]-[CX3]=[O,S] enaminones: 1 to 3, on oxygen
inert base - [NX3]-[$([OX2]),$([NX2]=O)] N,N,O-trimethylhydroxylamine 3.7; nitrosamines
inert base - [NX1]#C acetonitrile -10
inert base - [nX3] pyrrole -3.8
inert base - [nX2;r5] isoxazole -3; isothiazole -0.5; tetrazole -3; furazan -5
inert base - [NX2](-[OX2,NX3,c])=[#6] acetone oxime 1; benzylideneaniline 2.8; hydrazones 2 to 4
inert base - [NX2]=[NX2] azobenzene -2.5
inert base - [O,S,Se;X1,X2] ketones -7; ethers -3; amides on oxygen 0; thioureas on sulfur -1; sulfoxides -1.5
inert base - [PX3](-c)-c triphenylphosphine 2.7; methyldiphenylphosphine 4.6
# --- Guanidines and amidines: the doubly bonded nitrogen
base - - [NX2]=[#6]-[#7,#8,#16]-[$(C#N),$([N+](=O)[O-]),$(S(=O)=O)] cimetidine and famotidine's own amidines: not basic in water
base - - [NX2](-[$(C#N),$([N+](=O)[O-]),$(S(=O)=O),$(P=O)])=[#6] N-cyanoguanidine -0.4; nitroguanidine -0.5
base - - [NX2]=C(-[$([NX3]-C=O)])-[$([NX3]-C=O)] diacylguanidines
base acylguanidine 8.4 [NX2](-C=O)=[CX3](-[#7X3])-[#7X3] acetylguanidine 8.3; amiloride 8.7
base acylguanidine 8.4 [NX2]=[CX3](-[#7X3])-[#7X3]-C=O acetylguanidine 8.3; amiloride 8.7
base - - [NX2;R]=[CX3;R](-[#7X3])-[#7X3;R]-[#6;R]=O creatinine 4.8; cyclic acylguanidines
base biguanide 11.5 [NX2]=[CX3](-[#7X3])-[NX3]-[CX3](=N)-[#7X3] biguanide 11.5 and 3.1; metformin 12.4 and 2.8
base biguanide 11.5 [NX2](-[CX3](-[#7X3])=[NX2])=[CX3](-[#7X3])-[#7X3] biguanide 11.5 and 3.1; proguanil 10.4
base biguanide 11.5 [NX2;$(N=C(N)N)]-[CX3](-[#7X3])=[NX2] biguanide 11.5 and 3.1
base guanidine 8.2 [NX2]=[CX3](-[#7X3])-[#7X3]-[NX2]=[#6] guanabenz 8.1
base guanidine 8.2 [NX2](-[NX2]=[#6])=[CX3](-[#7X3])-[#7X3] guanabenz 8.1
base guanidine 8.1 [NX2](-[OX2])=[CX3](-[#7X3])-[#7X3] hydroxyguanidine 8.1
base guanidine 7.0 [NX2](-[$([c;r5]n),$([c;r5]:c:n)])=[CX3](-[#7X3])-[#7X3] famotidine 6.8 (2-guanidinothiazole)
base guanidine 7.0 [NX2]=[CX3](-[#7X3])-[#7X3]-[$([c;r5]n),$([c;r5]:c:n)] famotidine 6.8 (2-guanidinothiazole)
base arylguanidine 10.8 [NX2](-c)=[CX3](-[#7X3])-[#7X3] phenylguanidine 10.8
base arylguanidine 10.8 [NX2]=[CX3](-[#7X3])-[#7X3]-c phenylguanidine 10.8
# What withdraws electrons on the aryl group: Hammett's rho is 2.2 (30 phenyltetramethylguanidines, Can. J. Chem. 67 (1989) 590).
shift arylguanidine,arylamidine,arylisourea -1.4 [NX2](-c:c-[F,Cl,Br,I])=[CX3] clonidine 8.1 (2,6-dichloro)
shift arylguanidine,arylamidine,arylisourea -1.4 [NX2]=[CX3]-[#7X3]-c:c-[F,Cl,Br,I] clonidine 8.1 (2,6-dichloro)
shift arylguanidine,arylamidine,arylisourea -0.8 [NX2](-c:c:c-[F,Cl,Br,I])=[CX3] 2.2 times Hammett's sigma 0.37
shift arylguanidine,arylamidine,arylisourea -0.8 [NX2]=[CX3]-[#7X3]-c:c:c-[F,Cl,Br,I] 2.2 times Hammett's sigma 0.37
shift arylguanidine,arylamidine,arylisourea -0.5 [NX2](-c1:[*]:[*]:c(-[F,Cl,Br,I]):[*]:[*]:1)=[CX3] 2.2 times 0.23
shift arylguanidine,arylamidine,arylisourea -0.5 [NX2]=[CX3]-[#7X3]-c1:[*]:[*]:c(-[F,Cl,Br,I]):[*]:[*]:1 2.2 times 0.23
shift arylguanidine,arylamidine,arylisourea -1.6 [NX2](-c:c-[$([N+](=O)[O-]),$(C#N),$(S(=O)=O)])=[CX3] as in para
shift arylguanidine,arylamidine,arylisourea -1.6 [NX2]=[CX3]-[#7X3]-c:c-[$([N+](=O)[O-]),$(C#N),$(S(=O)=O)] as in para
shift arylguanidine,arylamidine,arylisourea -1.4 [NX2](-c:c:c-[$([N+](=O)[O-]),$(C#N),$(S(=O)=O)])=[CX3] 2.2 times 0.6 to 0.7
shift arylguanidine,arylamidine,arylisourea -1.4 [NX2]=[CX3]-[#7X3]-c:c:c-[$([N+](=O)[O-]),$(C#N),$(S(=O)=O)] 2.2 times 0.6 to 0.7
shift arylguanidine,arylamidine,arylisourea -1.6 [NX2](-c1:[*]:[*]:c(-[$([N+](=O)[O-]),$(C#N),$(S(=O)=O)]):[*]:[*]:1)=[CX3] 2.2 times 0.7 to 0.8
shift arylguanidine,arylamidine,arylisourea -1.6 [NX2]=[CX3]-[#7X3]-c1:[*]:[*]:c(-[$([N+](=O)[O-]),$(C#N),$(S(=O)=O)]):[*]:[*]:1 2.2 times 0.7 to 0.8
shift arylguanidine,arylamidine,arylisourea -1.0 [NX2](-c:c-[$([CX3]=O),$(C(F)(F)F)])=[CX3] as in para
shift arylguanidine,arylamidine,arylisourea -1.0 [NX2]=[CX3]-[#7X3]-c:c-[$([CX3]=O),$(C(F)(F)F)] as in para
shift arylguanidine,arylamidine,arylisourea -0.9 [NX2](-c:c:c-[$([CX3]=O),$(C(F)(F)F)])=[CX3] 2.2 times 0.35 to 0.45
shift arylguanidine,arylamidine,arylisourea -0.9 [NX2]=[CX3]-[#7X3]-c:c:c-[$([CX3]=O),$(C(F)(F)F)] 2.2 times 0.35 to 0.45
shift arylguanidine,arylamidine,arylisourea -1.0 [NX2](-c1:[*]:[*]:c(-[$([CX3]=O),$(C(F)(F)F)]):[*]:[*]:1)=[CX3] 2.2 times 0.45 to 0.55
shift arylguanidine,arylamidine,arylisourea -1.0 [NX2]=[CX3]-[#7X3]-c1:[*]:[*]:c(-[$([CX3]=O),$(C(F)(F)F)]):[*]:[*]:1 2.2 times 0.45 to 0.55
shift arylguanidine,arylamidine,arylisourea -1.0 [NX2](-c:c:n)=[CX3] tizanidine 7.4; moxonidine 7.4 (two)
shift arylguanidine,arylamidine,arylisourea -1.0 [NX2]=[CX3]-[#7X3]-c:c:n tizanidine 7.4; moxonidine 7.4 (two)
shift arylguanidine,arylamidine,arylisourea -1.0 [NX2](-c:c:c:n)=[CX3] tizanidine 7.4; brimonidine 7.4
shift arylguanidine,arylamidine,arylisourea -1.0 [NX2]=[CX3]-[#7X3]-c:c:c:n tizanidine 7.4; brimonidine 7.4
shift arylguanidine,arylamidine,arylisourea -1.0 [NX2](-c1:[*]:[*]:c(:n):[*]:[*]:1)=[CX3] brimonidine 7.4
shift arylguanidine,arylamidine,arylisourea -1.0 [NX2]=[CX3]-[#7X3]-c1:[*]:[*]:c(:n):[*]:[*]:1 brimonidine 7.4
base guanidine 13.5 [NX2]=[CX3](-[#7X3])-[#7X3] guanidine 13.6; methylguanidine 13.4; arginine 12.5 to 13.8
base - - [NX2]=[CX3]-[#7X3]-[CX3]=[O,S] N-acylamidines: 4 or less
base - - [NX2](-[CX3]=[O,S])=[CX3]-[#7X3] N-acylamidines: 4 or less
base amidoxime 4.9 [NX2](-O)=[CX3]-[#7X3] benzamidoxime 4.9
base amidoxime 4.9 [NX2]=[CX3]-[#7X3]-[OX2] benzamidoxime 4.9
base amidrazone - [NX2](-[#7])=[CX3]-[#7X3] triazolines and the like
base diarylamidine 3.9 [NX2](-c)=[CX3](-c)-[#7X3] clozapine 3.7; quetiapine 3.3; olanzapine 5.0
base arylisourea 6.9 [NX2](-c)=[CX3](-[#16X2,OX2])-[#7X3] xylazine 6.9
base arylisourea 6.9 [NX2]=[CX3](-[#16X2,OX2])-[#7X3]-c xylazine 6.9
base arylamidine 8.3 [NX2](-c)=[CX3]-[#7X3] N-phenylacetamidine 8.3
base arylamidine 8.3 [NX2]=[CX3]-[#7X3]-c N-phenylacetamidine 8.3
base imidazoline 10.2 [NX2]1=[CX3][NX3][CX4][CX4]1 tolazoline 10.3; xylometazoline 10.3; 2-phenylimidazoline 9.9
base amidine 11.6 [NX2]=[CX3](-c)-[#7X3] benzamidine 11.6; dabigatran 12.4
base amidine 12.4 [NX2;!$(N-[#7,#8,#16])]=[CX3;!$(C-[#16,#8])]-[#7X3;!$(N-[#7,#8,#16])] acetamidine 12.4
base isothiourea 8.0 [NX2;R]=[CX3;R](-[#16X2;R])-[#7X3;R] levamisole 8.0 (6.8 to 8)
base isothiourea 9.8 [NX2;!$(N-[#7,#8,#16])]=[CX3](-[#16X2,OX2])-[#7X3] S-methylisothiourea 9.8; O-methylisourea 9.7
base imine 3.4 [NX2](-[CX4])=[CX3](-c)-c diazepam 3.4
base imine 6.9 [NX2;!$(N-[#7,#8,#16])](-[CX4,#1])=[CX3;!$(C-[#8,#16])] 1-pyrroline 6.7; N-benzylideneethylamine 7; benzophenone imine 7.2
# --- Aliphatic amines
base hydrazine 7.9 [NX3;H2]-[NX3;!$(N-[#6]=[O,S,N]);!$(N-c);!$(N-S=O)] methylhydrazine 7.9
base hydrazine 5.2 [NX3;H2]-[NX3;$(N-c)] phenylhydrazine 5.2
base hydrazide 3.0 [NX3;H2]-[NX3;$(N-[#6]=[O,S])] acetohydrazide 3.2; benzohydrazide 3.0
base hydroxylamine 6.0 [NX3;H1,H2;!$(N-[#6]=[#8,#16])]-[OX2;H1] hydroxylamine 6.0; N-methylhydroxylamine 6.0
base hydroxylamine 4.6 [NX3;H1,H2;!$(N-[#6]=[#8,#16])]-[OX2] O-methylhydroxylamine 4.6
base aziridine 8.0 [NX3;r3;$(N([CX4])[CX4]);H1,$(N([CX4])([CX4])[CX4])] aziridine 8.0
base amine 10.6 [NX3;H2]-[CX4] ethylamine 10.6; tert-butylamine 10.7
base amine 11.0 [NX3;H1](-[CX4])-[CX4] diethylamine 11.0; piperidine 11.1; pyrrolidine 11.3
base tertiary 10.1 [NX3;H0](-[CH3])(-[CX4])-[CX4] N-methylpiperidine 10.1; N,N-dimethylethylamine 10.2; trimethylamine 9.8
base tertiary 10.5 [NX3;H0](-[CX4])(-[CX4])-[CX4] N-ethylpiperidine 10.45; triethylamine 10.75; quinuclidine 11.0
base amine 9.25 [NX3;H3] ammonia 9.25
shift amine,tertiary -1.2 [NX3]-[CX4]-[c] benzylamine 9.3; N,N-dimethylbenzylamine 8.9; benzhydrylamine 8.4
shift amine,tertiary -0.7 [NX3]-[CX4]-[$([c;r6]:n),$([c;r6]:c:n),$(c1ccncc1)] 2- and 3-(aminomethyl)pyridine 8.6
shift amine,tertiary -0.7 [NX3]-[CX4]-[CX4]-[c] phenethylamine 9.8
shift amine,tertiary -1.1 [NX3]-[CX4]-[CX3]=[CX3] allylamine 9.5
shift amine,tertiary -2.4 [NX3]-[CX4]-[CX2]#[CX2] propargylamine 8.15
shift amine,tertiary -1.5 [NX3]-[CX4;r3] cyclopropylamine 9.1 (a shift for the carbon of a cyclopropane)
shift amine -1.05 [NX3]-[CX4]-[CX4]-[OX2] ethanolamine 9.5; 2-methoxyethylamine 9.4; morpholine 8.5 (two ways)
shift tertiary -1.3 [NX3]-[CX4]-[CX4]-[OX2;$([OX2]1CC[NX3]CC1)] N-methylmorpholine 7.4 (two ways)
shift tertiary -0.7 [NX3]-[CX4]-[CX4]-[OX2;!$([OX2]1CC[NX3]CC1)] N,N-dimethylethanolamine 9.3; triethanolamine 7.8; diphenhydramine 9.0
shift amine,tertiary -0.5 [NX3]-[CX4]-[CX4]-[CX4]-[OX2] 3-aminopropanol 10.0
shift amine,tertiary -0.85 [NX3]-[CX4]-[CX4]-[NX3;!$(N-[#6]=[#6,#7,#8,#16]);!$(N-c);!$(N-S=O)] ethylenediamine 9.9; piperazine 9.7 (two ways); 1,4-dimethylpiperazine 8.4
shift amine,tertiary -1.15 [NX3]-[CX4]-[CX4]-[NX3;$(N-c),$(N-[#6]=[#6,#7]);!$(N-[#6]=[#8,#16]);!$(N-S=O)] 1-phenylpiperazine 8.7 (two ways); 1-methyl-4-phenylpiperazine 7.9
shift amine,tertiary -1.15 [NX3]-[CX4]-[CX4]-[nX3] histamine's like; 1-(2-aminoethyl)pyrrole
shift amine,tertiary -1.4 [NX3]-[CX4]-[CX4]-[NX3;$(N-[#6]=[#8,#16]),$(N-S=O)] N-acetylethylenediamine 9.3; 1-acetylpiperazine 7.9 (two ways)
shift amine,tertiary -0.5 [NX3]-[CX4]-[CX4]-[CX4]-[#7X3;$(N-[#6]=[#8,#16]),$(N-S=O),$(N-c)] 1,3-diamines whose other nitrogen is acylated
shift amine,tertiary -2.7 [NX3]-[CX4]-[CX3]=[O,S] glycinamide 7.9; glycine ethyl ester 7.7; lidocaine 7.9
shift amine,tertiary -1.2 [NX3]-[CX4]-[CX4]-[CX3]=[O,S] beta-alanine ethyl ester 9.1
shift amine,tertiary -1.7 [NX3]-[CX4]-[CX4]-[F,Cl,Br,I] 2,2,2-trifluoroethylamine 5.7; 2-fluoroethylamine 8.8
shift amine,tertiary -0.6 [NX3]-[CX4]-[CX4]-[CX4]-[F,Cl,Br,I] 3,3,3-trifluoropropylamine 8.7
shift amine,tertiary -5.2 [NX3]-[CX4]-[CX2]#N aminoacetonitrile 5.3
shift amine,tertiary -2.8 [NX3]-[CX4]-[CX4]-[CX2]#N 3-aminopropionitrile 7.8
shift amine,tertiary -1.0 [NX3]-[CX4]-[CX4]-[SX2] 2-(methylthio)ethylamine 9.5; thiomorpholine 9.0 (two ways)
shift amine,tertiary -2.7 [NX3]-[CX4]-[CX4]-[SX4](=O)=O thiomorpholine 1,1-dioxide 5.4 (two ways)
shift amine,tertiary -1.1 [NX3]-[CX4]-[CX4]-[CX4]-[$([SX4](=O)=O),$(C#N)] 0.4 of the shift one carbon nearer
shift amine,tertiary -3.5 [NX3]-[CX4]-[OX2,SX2] aminals and hemiaminals
shift amine,tertiary -3.0 [NX3]-[CX4]-[#7X3] N,N,N',N'-tetramethylmethanediamine 7.7; hexamethylenetetramine 4.9
shift amine,tertiary -1.5 [NX3]-[CX4]-[PX4]=O aminomethylphosphonic acid esters
# --- Anilines
base - - [NX3]-[#6;r4]~[#6;r4]~[#6;r4]=O squaramides
base aniline 5.1 [NX3;H0](-c)(-[CX4])-[CX4] N,N-dimethylaniline 5.1
base aniline 4.7 [NX3;H1,H2;$([NX3;H2]-c),$([NX3;H1](-c)-[CX4])] aniline 4.6; N-methylaniline 4.85
shift aniline -3.6 [NX3]-c1:[*]:[*]:c(-[$([N+](=O)[O-]),$(S(=O)=O),$(C#N)]):[*]:[*]:1 4-nitroaniline 1.0; sulfanilamide 2.0
shift aniline -2.2 [NX3]-c1:[*]:[*]:c(-[CX3]=O):[*]:[*]:1 benzocaine 2.5
shift aniline -2.5 [NX3]-c:n the ring's nitrogen is the base
shift aniline -1.5 [NX3]-c:c-[F,Cl,Br,I] 2-chloroaniline 2.6
shift aniline -0.9 [NX3]-c:c:c-[F,Cl,Br,I] 3-chloroaniline 3.5
shift aniline -3.0 [NX3]-c:c-[CX3]=O anthranilic acid 2.1
# --- Aromatic nitrogen
base imidazole 6.6 [nX2]1ccn2ccccc12 imidazo[1,2-a]pyridine 6.8; zolpidem 6.2
base benzimidazole 5.5 [nX2;r5]1cnc2c1[c,n][c,n][c,n][c,n]2 benzimidazole 5.5; 1-methylbenzimidazole 5.6
base imidazole 7.0 [nX2;r5]1:c:[nX3]:c:c:1 imidazole 7.0; 1-methylimidazole 7.2
shift benzimidazole 0.7 [nX2]:c-[CX4] 2-methylbenzimidazole 6.2
shift imidazole 0.8 [nX2]:c(-[CX4]):[nX3] 2-methylimidazole 7.9; 1,2-dimethylimidazole 8.0; 2,4,5-trimethylimidazole 8.9
shift imidazole 0.5 [nX2]:c(-[CX4]):c 4-methylimidazole 7.5
shift imidazole 0.5 [nX2]:c:[nX3;H1]:c-[CX4] 4-methylimidazole 7.5 (its tautomer, as below)
shift imidazole -1.0 [nX2]:c-[CX4]-[#7,#8,#16] 4-(hydroxymethyl)imidazole 6.4; cimetidine 6.9; alosetron 6.9
shift imidazole -1.0 [nX2]:c:[nX3;H1]:c-[CX4]-[#7,#8,#16] cimetidine 6.9 (its tautomer)
shift imidazole -0.4 [nX2]:c-[CX4]-[CX4]-[#7X3] histamine 6.0
shift imidazole -0.4 [nX2]:c:[nX3;H1]:c-[CX4]-[CX4]-[#7X3] histamine 6.0 (its tautomer)
shift imidazole -0.5 [nX2]:c-[CX4]-[CX4]-[CX3]=O histidine 6.0; its residue in a peptide 6.5
shift imidazole -0.5 [nX2]:c:[nX3;H1]:c-[CX4]-[CX4]-[CX3]=O histidine 6.0 (its tautomer)
shift imidazole 0.2 [nX2]:c:[nX3]-[CX4] 1-methylimidazole 7.2
shift imidazole,benzimidazole -1.0 [nX2]:c:[nX3]-c 1-phenylimidazole 6.1
shift imidazole,benzimidazole -3.5 [nX2]:c:[nX3]-[CX3]=[O,S] 1-acetylimidazole 3.6
shift imidazole,benzimidazole -0.7 [nX2]:c-[c,$(C=[#6])] 2-phenylimidazole 6.4; 4-phenylimidazole 6.1
shift imidazole -0.7 [nX2]:c:[nX3;H1]:c-[c,$(C=[#6])] 4-phenylimidazole 6.1 (its tautomer)
shift imidazole,benzimidazole 1.5 [nX2]:c-[NX3;!$(N-[#6]=O);!$(N-S=O);!$([N+])] 2-aminoimidazole 8.5; 2-aminobenzimidazole 7.5
shift imidazole 1.5 [nX2]:c:[nX3;H1]:c-[NX3;!$(N-[#6]=O);!$(N-S=O);!$([N+])] 4-aminoimidazole (the tautomer)
shift imidazole,benzimidazole -0.9 [nX2]:c-[NX3]-[#6]=O mebendazole 3.4; 2-acetamidobenzimidazole 4
shift imidazole -0.9 [nX2]:c:[nX3;H1]:c-[NX3]-[#6]=O 4-acylaminoimidazoles (the tautomer)
shift imidazole -5.0 [nX2]1:c:[nX3;!H1]:c(-[N+](=O)[O-]):c:1 metronidazole 2.5
shift imidazole -6.0 [nX2]1:c:[nX3;H1]:c(-[N+](=O)[O-]):c:1 4-nitroimidazole -0.05 (its tautomer)
shift imidazole -6.0 [nX2]1:c(-[N+](=O)[O-]):[n]:c:c:1 2-nitroimidazole -0.8
shift imidazole -6.0 [nX2]1:c:[n]:c:c:1-[N+](=O)[O-] 4-nitroimidazole -0.05
shift imidazole,benzimidazole -3.3 [nX2]:c-[F,Cl,Br,I] 2-bromoimidazole 3.9; 4-bromoimidazole 3.6
shift imidazole -3.3 [nX2]1:c:[n]:c(-[F,Cl,Br,I]):c:1 4-bromoimidazole 3.6 (its tautomer)
shift imidazole,benzimidazole -3.2 [nX2]:c-[CX3]=O methyl imidazole-4-carboxylate 3.7; dacarbazine 4.4
shift imidazole -3.2 [nX2]:c:[nX3]:c-[CX3]=O methyl imidazole-4-carboxylate 3.7 (its tautomer); etomidate 4.2
shift imidazole,benzimidazole -4.0 [nX2]:c-[SX3,SX4]=O omeprazole 0.7 (benzimidazole)
shift imidazole -4.0 [nX2]:c:[nX3]:c-[SX3,SX4]=O as omeprazole (the tautomer)
shift imidazole,benzimidazole -5.0 [nX2]:c-[CX2]#N by Hammett's sigma, between carbonyl and nitro
shift imidazole -5.0 [nX2]:c:[nX3]:c-[CX2]#N as above (the tautomer)
shift imidazole,benzimidazole -2.0 [nX2]:c-[CX4](-F)-F 2-(trifluoromethyl)benzimidazole 1 to 2
shift imidazole -2.0 [nX2]:c:[nX3]:c-[CX4](-F)-F as 2-(trifluoromethyl)benzimidazole (the tautomer)
shift imidazole -0.5 [nX2]:c-[SX2] 2-(methylthio)imidazole 6.5
shift imidazole -0.5 [nX2]:c:[nX3;H1]:c-[SX2] as 2-(methylthio)imidazole (the tautomer)
shift benzimidazole -1.5 [nX2]1:c:n:c2:c:1:n:[c,n]:[c,n]:[c,n]:2 purine 2.4
shift benzimidazole -1.5 [nX2]1:c:n:c2:c:1:[c,n]:n:[c,n]:[c,n]:2 purine 2.4
shift benzimidazole -1.5 [nX2]1:c:n:c2:c:1:[c,n]:[c,n]:n:[c,n]:2 purine 2.4
shift benzimidazole -1.5 [nX2]1:c:n:c2:c:1:[c,n]:[c,n]:[c,n]:n:2 purine 2.4
# On the ring of benzene: 2.7, by 5-nitrobenzimidazole 3.5, times the mean of Hammett's sigma in meta and para.
shift benzimidazole -0.8 [nX2]:c:[c;!r5]-[F,Cl,Br,I] 5-chlorobenzimidazole 4.7
shift benzimidazole -0.8 [nX2]:c:c:[c;!r5]-[F,Cl,Br,I] 5-chlorobenzimidazole 4.7
shift benzimidazole -0.8 [nX2]:c:[c;r5]:[c;!r5]:[c;!r5]-[F,Cl,Br,I] 5-chlorobenzimidazole 4.7 (its tautomer)
shift benzimidazole -1.2 [nX2]:c:[c;!r5]-[$([CX3]=O),$(C(F)(F)F)] 2.7 times 0.45
shift benzimidazole -1.2 [nX2]:c:c:[c;!r5]-[$([CX3]=O),$(C(F)(F)F)] 2.7 times 0.45
shift benzimidazole -1.2 [nX2]:c:[c;r5]:[c;!r5]:[c;!r5]-[$([CX3]=O),$(C(F)(F)F)] 2.7 times 0.45
shift benzimidazole -2.0 [nX2]:c:[c;!r5]-[$([N+](=O)[O-]),$(C#N),$(S(=O)=O)] 5-nitrobenzimidazole 3.5
shift benzimidazole -2.0 [nX2]:c:c:[c;!r5]-[$([N+](=O)[O-]),$(C#N),$(S(=O)=O)] 5-nitrobenzimidazole 3.5
shift benzimidazole -2.0 [nX2]:c:[c;r5]:[c;!r5]:[c;!r5]-[$([N+](=O)[O-]),$(C#N),$(S(=O)=O)] 5-nitrobenzimidazole 3.5
base thiazole 5.4 [nX2]1:c(-[NX3;!$(N-[#6]=O);!$(N-S=O)]):s:c:c:1 2-aminothiazole 5.4
base thiazole 2.5 [nX2]1:c:s:c:c:1 thiazole 2.5
base oxazole 0.8 [nX2]1:c:o:c:c:1 oxazole 0.8
base pyrazole 2.5 [nX2]1:[nX3]:c:c:c:1 pyrazole 2.5
base triazole1 2.2 [nX2;$(n1c[nX3]nc1),$(n1[nX3]cnc1),$(n1c[nX3]cn1)] 1,2,4-triazole 2.2; fluconazole 1.8
base triazole1 1.2 [nX2;$(n1[nX3]ncc1),$(n1n[nX3]cc1),$(n1ncc[nX3]1)] 1,2,3-triazole 1.2
base thiadiazole 3.2 [nX2]1:n:c:s:c:1-[NX3;H2] 2-amino-1,3,4-thiadiazole 3.2
base pyridine 5.2 [nX2;r6] pyridine 5.2; quinoline 4.9; isoquinoline 5.4; acridine 5.6
shift pyridine -2.9 [nX2]1:[nX2]:*:*:*:*:1 pyridazine 2.3
shift pyridine -3.9 [nX2]1:*:[nX2]:*:*:*:1 pyrimidine 1.3
shift pyridine -3.9 [nX2]1:*:[nX2]:*:[nX2]:*:1 melamine 5.0; acetoguanamine 3.9 (for the second of the other nitrogens)
shift pyridine -4.6 [nX2]1:*:*:[nX2]:*:*:1 pyrazine 0.65
shift pyridine -3.0 [nX2]1:*:*:*:*:c:1=O 2-pyridone-like rings
shift pyridine -3.0 [nX2]1:[c,n]:[nX3]:*:*:*:1 rings with a carbonyl or an alkylated nitrogen
shift pyridine 1.7 [nX2]1:c(-[NX3;H2;$([NX3;H2]-c)]):*:*:*:*:1 2-aminopyridine 6.9
shift pyridine 0.8 [nX2]1:*:c(-[NX3;H2;$([NX3;H2]-c)]):*:*:*:1 3-aminopyridine 6.0
shift pyridine 3.9 [nX2]1:*:*:c(-[NX3;H2;$([NX3;H2]-c)]):*:*:1 4-aminopyridine 9.1
shift pyridine 1.7 [nX2]1:c(-[NX3;!H2;!$(N(-c)-c);!$(N-[#6,#16]=O);$(N-[CX4])]):*:*:*:*:1 2-(methylamino)pyridine 6.8
shift pyridine 0.8 [nX2]1:*:c(-[NX3;!H2;!$(N(-c)-c);!$(N-[#6,#16]=O);$(N-[CX4])]):*:*:*:1 3-(methylamino)pyridine
shift pyridine 3.9 [nX2]1:*:*:c(-[NX3;!H2;!$(N(-c)-c);!$(N-[#6,#16]=O);$(N-[CX4])]):*:*:1 4-(methylamino)pyridine 9.65
shift pyridine 0.3 [nX2]1:c(-[NX3;$(N(-c)-c)]):*:*:*:*:1 2-anilinopyridine
shift pyridine 3.0 [nX2]1:*:*:c(-[NX3;$(N(-c)-c)]):*:*:1 erlotinib 5.4, gefitinib 5.4 (quinazolines)
shift pyridine -1.1 [nX2]1:c(-[NX3]-[#6,#16]=O):*:*:*:*:1 2-acetamidopyridine 4.1
shift pyridine -0.8 [nX2]1:*:c(-[NX3]-[#6,#16]=O):*:*:*:1 3-acetamidopyridine 4.4
shift pyridine 0.6 [nX2]1:*:*:c(-[NX3]-[#6,#16]=O):*:*:1 4-acetamidopyridine 5.9
shift pyridine -3.0 [nX2]1:*:*:*:*:c:1-[CX4]-[SX3,SX4]=O omeprazole 4.0
shift pyridine 0.6 [nX2]1:*:*:*:*:c:1-[CX4] 2-methylpyridine 6.0
shift pyridine 0.4 [nX2]1:*:c(-[CX4]):*:*:*:1 3-methylpyridine 5.7
shift pyridine 0.8 [nX2]1:*:*:c(-[CX4]):*:*:1 4-methylpyridine 6.0
shift pyridine -0.5 [nX2]1:c(-c):*:*:*:*:1 2-phenylpyridine 4.5
shift pyridine -4.6 [nX2]1:c(-[F,Cl,Br,I]):*:*:*:*:1 2-chloropyridine 0.7
shift pyridine -2.4 [nX2]1:*:c(-[F,Cl,Br,I]):*:*:*:1 3-chloropyridine 2.8
shift pyridine -1.4 [nX2]1:*:*:c(-[F,Cl,Br,I]):*:*:1 4-chloropyridine 3.8
shift pyridine -1.9 [nX2]1:c(-[OX2]):*:*:*:*:1 2-methoxypyridine 3.3
shift pyridine 1.4 [nX2]1:*:*:c(-[OX2]):*:*:1 4-methoxypyridine 6.6
shift pyridine -1.8 [nX2]1:*:c(-[CX3]=O):*:*:*:1 nicotinamide 3.4
shift pyridine -1.6 [nX2]1:*:*:c(-[CX3]=O):*:*:1 isonicotinamide 3.6; isoniazid 3.5
shift pyridine -3.0 [nX2]1:c(-[CX3]=O):*:*:*:*:1 picolinamide 2.1
shift pyridine -5.5 [nX2]1:*:*:*:*:*:1-[CX2]#N 2-cyanopyridine -0.3
shift pyridine -3.6 [nX2]1:*:c(-[CX2]#N):*:*:*:1 3-cyanopyridine 1.4
shift pyridine -3.3 [nX2]1:*:*:c(-[CX2]#N):*:*:1 4-cyanopyridine 1.9
shift pyridine -5.1 [nX2]1:*:*:*:*:*:1-[$(C(F)(F)F)] 2-(trifluoromethyl)pyridine 0.7 (as a methyl group, and this)
shift pyridine -2.8 [nX2]1:*:c(-[$(C(F)(F)F)]):*:*:*:1 3-(trifluoromethyl)pyridine 2.8
shift pyridine -3.4 [nX2]1:*:*:c(-[$(C(F)(F)F)]):*:*:1 4-(trifluoromethyl)pyridine 2.6
shift pyridine -2.5 [nX2]:[*]-[$([CX4;!$(C(F)(F)F)](F)F)] half of it
shift pyridine -1.7 [nX2]1:*:c(-[$([CX4;!$(C(F)(F)F)](F)F)]):*:*:*:1 half to two thirds of it
shift pyridine -2.2 [nX2]1:*:*:c(-[$([CX4;!$(C(F)(F)F)](F)F)]):*:*:1 half to two thirds of it
shift pyridine -4.0 [nX2]1:*:c(-[N+](=O)[O-]):*:*:*:1 3-nitropyridine 1.2
shift pyridine -3.6 [nX2]1:*:*:c(-[N+](=O)[O-]):*:*:1 4-nitropyridine 1.6
shift pyridine -7.0 [nX2]1:c(-[N+](=O)[O-]):*:*:*:*:1 2-nitropyridine -2.6
# Hammett's rho of pyridines is 5.7 (J. Am. Chem. Soc. 77 (1955) 4441); of the two next to the nitrogen, by nitrile and nitro.
shift pyridine -6.0 [nX2]1:c(-[$(S(=O)=O)]):*:*:*:*:1 between 2-cyanopyridine -0.3 and 2-nitropyridine -2.6
shift pyridine -3.2 [nX2]1:*:c(-[$(S(=O)=O)]):*:*:*:1 5.7 times 0.5 to 0.6
shift pyridine -3.8 [nX2]1:*:*:c(-[$(S(=O)=O)]):*:*:1 5.7 times 0.6 to 0.7
shift pyridine -4.0 [nX2]1:c(-[$([SX3]=O)]):*:*:*:*:1 as the sulfones, less
shift pyridine -2.9 [nX2]1:*:c(-[$([SX3]=O)]):*:*:*:1 5.7 times 0.5
shift pyridine -2.8 [nX2]1:*:*:c(-[$([SX3]=O)]):*:*:1 5.7 times 0.5
# --- How charges feel each other
pair phosphate+phosphate 5.0 2 ethyl phosphate 1.6 and 6.6
pair phosphonate+phosphonate 4.9 2 methylphosphonic acid 2.38 and 7.74
pair thiophosphate+thiophosphate 3.7 2 adenosine 5'-thiophosphate 5.3
pair phosphate+thiophosphate 3.9 2 the same of thiophosphates drawn with a thiol beside OH
pair squaric+squaric 2.0 3 squaric acid 0.9 and 3.5
pair arsonate+arsonate 5.0 2 phenylarsonic acid 3.5 and 8.5
pair phosphate+phosphate 0.3 4 adenosine diphosphate 6.4
pair base+base 3.8 [NX3;$(N1CCNCC1)]-C-C-[NX3;$(N1CCNCC1)] piperazine 9.73 and 5.33 (corrected for two equal sites)
pair biguanide+biguanide 8.5 4 biguanide 11.5 and 3.1
pair base+base 9.0 1 hydrazine 8.1 and -0.9
pair base+base 5.0 2 hexamethylenetetramine, aminals: never both
pair base+base 2.5 3 ethylenediamine 9.93 and 6.85
pair base+base 1.1 4 1,3-diaminopropane 10.55 and 8.88
pair base+base 0.6 5 1,4-diaminobutane 10.80 and 9.63
pair base+base 0.3 6 1,5-diaminopentane 10.9 and 9.9
pair base+base 0.15 7 1,6-diaminohexane 11.0 and 10.1
pair acid+acid 0.3 [OX2H,SX2H]P[OX2,NX3]P[OX2H,SX2H] adenosine diphosphate 6.4; 5'-adenylyl imidodiphosphate 7.7
pair acid+acid 0.1 [OX2H,SX2H]P[OX2,NX3]P[OX2,NX3]P[OX2H,SX2H] adenosine triphosphate 6.5
pair barbiturate+barbiturate 4.5 2 barbital 8.0 and 12.7
pair acid+acid 4.5 2 phosphoric and like acids
pair acid+acid 2.8 3 oxalic acid 1.25 and 4.27; catechol 9.4 and 13
pair acid+acid 2.2 4 malonic acid 2.85 and 5.70
pair acid+acid 0.9 5 succinic acid 4.2 and 5.6; phthalic acid 2.95 and 5.4
pair acid+acid 0.5 6 glutaric acid 4.34 and 5.42
pair acid+acid 0.3 7 adipic acid 4.4 and 5.4
pair base+acid 4.0 1 zwitterions of neighbours
pair base+acid 3.0 2 zwitterions of neighbours
pair fixed+carboxyl 3.0 3 betaine 1.83
pair base+acid 1.9 3 glycine 2.35 and 9.78
pair base+acid 1.2 4 beta-alanine 3.55 and 10.24
pair base+acid 0.7 5 4-aminobutyric acid 4.03 and 10.56
pair base+acid 0.4 6 5-aminopentanoic acid 4.27 and 10.77
"""
